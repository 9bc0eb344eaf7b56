-- Count a failed login, and make the next one wait: longer each time.
--
-- KEYS[1]  failures  string, how many there were of late
-- KEYS[2]  locked    string, there while logins are refused unheard
-- ARGV[1]  free      so many cost nothing
-- ARGV[2]  first     ms, the first wait; doubled at every further failure
-- ARGV[3]  longest   ms, the longest wait
-- ARGV[4]  forget    ms without a failure until all is forgotten
--
-- returns  COUNTED  no wait yet
-- returns  LOCKED   logins have to wait
local failures = redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
local beyond = failures - tonumber(ARGV[1])
if beyond <= 0 then
  return 'COUNTED'
end
local wait = math.min(tonumber(ARGV[3]), tonumber(ARGV[2]) * 2 ^ math.min(beyond - 1, 30))
redis.call('SET', KEYS[2], failures, 'PX', string.format('%.0f', wait))
return 'LOCKED'

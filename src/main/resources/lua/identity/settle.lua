-- Say what came of a try. One that failed makes the next wait, longer each time; one that did not is
-- given back.
--
-- KEYS[1]  failures  string, how many tries failed of late
-- KEYS[2]  locked    string, there while logins are refused unheard
-- KEYS[3]  trying    string, how many tries are being judged
-- ARGV[1]  wrong     how many passwords were wrong in it; 0 if it did not fail
-- ARGV[2]  owner     1 if the account's owner was here: what failed before is forgotten
-- ARGV[3]  free      so many failures cost nothing
-- ARGV[4]  first     ms, the first wait; doubled at every further failure
-- ARGV[5]  longest   ms, the longest wait
-- ARGV[6]  forget    ms without a failure until all is forgotten
--
-- returns  SETTLED  no wait from this
-- returns  LOCKED   logins have to wait
local trying = tonumber(redis.call('GET', KEYS[3]) or '0')
if trying > 1 then
  redis.call('DECR', KEYS[3])
else
  redis.call('DEL', KEYS[3])
end
if ARGV[2] == '1' then
  redis.call('DEL', KEYS[1])
end
local wrong = tonumber(ARGV[1])
if wrong == 0 then
  return 'SETTLED'
end
local failures = redis.call('INCRBY', KEYS[1], wrong)
redis.call('PEXPIRE', KEYS[1], ARGV[6])
local beyond = failures - tonumber(ARGV[3])
if beyond <= 0 then
  return 'SETTLED'
end
local wait = math.min(tonumber(ARGV[5]), tonumber(ARGV[4]) * 2 ^ math.min(beyond - 1, 30))
redis.call('SET', KEYS[2], failures, 'PX', string.format('%.0f', wait))
return 'LOCKED'

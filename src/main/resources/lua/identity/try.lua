-- Take one of the tries that an account or an address has. It is taken before the password is hashed:
-- however many guess at once, no more are heard than of those who guess one after the other.
--
-- KEYS[1]  failures  string, how many tries failed of late
-- KEYS[2]  locked    string, there while logins are refused unheard
-- KEYS[3]  trying    string, how many tries are being judged
-- ARGV[1]  free      so many failures cost nothing
-- ARGV[2]  judging   ms until tries that nobody settled, because their process died, are given up
--
-- returns  TAKEN   judge it, then settle it
-- returns  LOCKED  too many failed; the ms to wait follow
-- returns  BUSY    as many as may fail are being judged; ask again when one is settled
local left = redis.call('PTTL', KEYS[2])
if left > 0 then
  return {'LOCKED', left}
end
local failures = tonumber(redis.call('GET', KEYS[1]) or '0')
local trying = tonumber(redis.call('GET', KEYS[3]) or '0')
if trying > 0 and failures + trying > tonumber(ARGV[1]) then
  return {'BUSY'}
end
redis.call('INCR', KEYS[3])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return {'TAKEN'}

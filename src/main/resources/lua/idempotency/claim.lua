-- Claim an idempotency key for a request, or learn what became of the one that came before.
--
-- KEYS[1]  record  hash {fingerprint, state, fencing_token, holder, attempts, first_seen, expires, status,
--                  headers, body}
-- KEYS[2]  lease   string, the holder
-- ARGV[1]  holder       who would do the work
-- ARGV[2]  ttl          ms
-- ARGV[3]  fingerprint  of the request
-- ARGV[4]  keep         ms for which the record stays
--
-- returns  CLAIMED      and token, first_seen in ms, attempts: yours to do
-- returns  TAKEN_OVER   and token, first_seen in ms, attempts: yours; its last holder left without a word
-- returns  IN_PROGRESS  and the holder that is at work; nothing was changed
-- returns  COMPLETED    and status, headers and body of the stored answer; nothing was changed
-- returns  MISMATCH     the key belongs to another request; nothing was changed
--
-- The token is the clock's, or one more than the last. What is kept over attempts is when the key was
-- first seen: ids derive from it, so that whoever repeats the work finds what was begun.
local known = redis.call('HMGET', KEYS[1], 'fingerprint', 'state', 'fencing_token', 'holder',
  'first_seen', 'status', 'headers', 'body')
if known[1] and known[1] ~= ARGV[3] then
  return {'MISMATCH'}
end
if known[2] == 'completed' then
  return {'COMPLETED', known[6], known[7], known[8]}
end
local holder = redis.call('GET', KEYS[2])
if holder then
  return {'IN_PROGRESS', holder}
end
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local token = string.format('%.0f', math.max(
  time[1] * 1000000 + time[2], tonumber(known[3] or 0) + 1))
local first_seen = known[5] or string.format('%.0f', now_ms)
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[3], 'state', 'in_progress', 'fencing_token', token,
  'holder', ARGV[1], 'first_seen', first_seen, 'expires', string.format('%.0f', now_ms + ARGV[4]))
local attempts = redis.call('HINCRBY', KEYS[1], 'attempts', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if known[4] and known[4] ~= '' then
  return {'TAKEN_OVER', token, first_seen, attempts}
end
return {'CLAIMED', token, first_seen, attempts}

-- Store the answer to a request on behalf of its holder, or let go of its key without one.
--
-- KEYS[1]  record  hash {fingerprint, state, fencing_token, holder, attempts, first_seen, expires, status,
--                  headers, body}
-- KEYS[2]  lease   string, the holder
-- KEYS[3]  audit   stream of the lane
-- ARGV[1]  token    the caller's fencing token
-- ARGV[2]  holder   the caller
-- ARGV[3]  status   of the answer; empty from a holder that lets go: it needs its token, not time
-- ARGV[4]  headers  of the answer, opaque
-- ARGV[5]  body     of the answer, opaque
-- ARGV[6]  keep     ms for which the record stays
-- ARGV[7]  id       the record's, for the event
-- ARGV[8]  origin   opaque JSON: on whose behalf
-- ARGV[9]  backlog  about how many events the stream keeps
--
-- returns  COMPLETED    this is the answer from now on
-- returns  RELEASED     the key is free; what it belongs to and when it was first seen stay
-- returns  NOT_FOUND    the record has expired
-- returns  STALE_TOKEN  a newer right to answer exists; nothing of the record was changed
-- returns  LEASE_LOST   it expired, or the answer is stored already; nothing of the record was changed
--
-- Claims and answers are bookkeeping, not facts: only a refusal is an event.
local known = redis.call('HMGET', KEYS[1], 'fencing_token', 'holder')
if not known[1] then
  return 'NOT_FOUND'
end
local refusal = nil
if known[1] ~= ARGV[1] then
  refusal = 'STALE_TOKEN'
elseif known[2] ~= ARGV[2] or (ARGV[3] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[2]) then
  refusal = 'LEASE_LOST'
end
if refusal then
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[9], '*', 'action', 'STALE_WRITE_REFUSED', 'outcome',
    refusal, 'resource_type', 'idempotency_key', 'resource_id', ARGV[7], 'fencing_token', ARGV[1],
    'newest_token', known[1], 'holder', ARGV[2], 'origin', ARGV[8])
  return refusal
end
redis.call('HSET', KEYS[1], 'holder', '')
if redis.call('GET', KEYS[2]) == ARGV[2] then
  redis.call('DEL', KEYS[2])
end
if ARGV[3] == '' then
  return 'RELEASED'
end
local time = redis.call('TIME')
local expires = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[6])
redis.call('HSET', KEYS[1], 'state', 'completed', 'status', ARGV[3], 'headers', ARGV[4], 'body', ARGV[5],
  'expires', expires)
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return 'COMPLETED'

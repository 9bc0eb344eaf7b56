-- Settle by a person's word what became of a notification that is in doubt.
--
-- KEYS[1]  ticket   hash, the facts
-- KEYS[2]  fresh    hash {ticket_id, head, refused}: the answer of the fast filter
-- KEYS[3]  audit    stream of the lane
-- KEYS[4]  refused  set, holders whose writes were refused
-- ARGV[1]  ticket   its id
-- ARGV[2]  seen     the notifications as the caller read them, opaque; empty if nothing was in doubt
-- ARGV[3]  settled  the notifications as they shall be, opaque
-- ARGV[4]  at       the time, RFC 3339
-- ARGV[5]  channel  whose state was settled
-- ARGV[6]  state    NOTIFIED or FAILED
-- ARGV[7]  reason   the person's
-- ARGV[8]  origin   opaque JSON: on whose behalf
-- ARGV[9]  backlog  about how many events the stream keeps
-- ARGV[10] id       of this intervention; done once, however often it is asked for
--
-- returns  DONE          it is settled, or was before under this id
-- returns  NOT_FOUND     no such ticket
-- returns  NOT_IN_STATE  a holder is at work on it, or it is not what the caller saw
--
-- What the event carries aside is how the ticket stands then: for who reads it after Redis has forgotten.
local known = redis.call('HMGET', KEYS[1], 'notifications', 'finished_at', 'fencing_token')
if not known[3] then
  return 'NOT_FOUND'
end
if redis.call('HEXISTS', KEYS[1], 'done:' .. ARGV[10]) == 1 then
  return 'DONE'
end
if not known[2] or known[1] ~= ARGV[2] then
  return 'NOT_IN_STATE'
end
redis.call('HSET', KEYS[1], 'notifications', ARGV[3], 'updated_at', ARGV[4],
  'done:' .. ARGV[10], ARGV[4])
if redis.call('HGET', KEYS[2], 'ticket_id') == ARGV[1] then
  redis.call('DEL', KEYS[2])
end
local event = {'XADD', KEYS[3], 'MAXLEN', '~', ARGV[9], '*', 'action', 'NOTIFICATION_SETTLED', 'outcome',
  'accepted', 'resource_id', ARGV[1], 'fencing_token', known[3], 'channel', ARGV[5], 'to', ARGV[6],
  'reason', ARGV[7], 'origin', ARGV[8], 'aside:refused', redis.call('SCARD', KEYS[4])}
for i, text in ipairs(redis.call('HGETALL', KEYS[1])) do
  event[#event + 1] = i % 2 == 1 and 'aside:' .. text or text
end
redis.call(unpack(event))
return 'DONE'

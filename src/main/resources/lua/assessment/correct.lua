-- End a ticket by a person's word: a new, higher token first, so that whoever runs it is fenced out.
--
-- KEYS[1]  ticket   hash, the facts
-- KEYS[2]  lease    string, the holder
-- KEYS[3]  refused  set, holders whose writes were refused
-- KEYS[4]  audit    stream of the lane
-- KEYS[5]  agenda   zset, ticket scored by the time it is to be looked at, in ms
-- KEYS[6]  asset    hash {ticket_id, open, fencing_token, deaths}: the asset's newest ticket
-- KEYS[7]  fresh    hash {ticket_id, head, refused}: the answer of the fast filter
-- ARGV[1]  ticket   its id
-- ARGV[2]  entry    its member in the agenda
-- ARGV[3]  at       the time, RFC 3339
-- ARGV[4]  origin   opaque JSON: on whose behalf
-- ARGV[5]  backlog  about how many events the stream keeps
-- ARGV[6]  id       of this intervention; done once, however often it is asked for
-- ARGV[7]  status   FINISHED or FAILED
-- ARGV[8]  reason   the person's
-- ARGV[9]  keep     ms for which the ended ticket stays
--
-- returns  DONE          it has ended, or was ended before under this id
-- returns  NOT_FOUND     no such ticket
-- returns  NOT_IN_STATE  it is in that status already
--
-- What the event carries aside is how the ticket stands then: for who reads it after Redis has forgotten.
local known = redis.call('HMGET', KEYS[1], 'status', 'fencing_token', 'facts')
if not known[1] then
  return 'NOT_FOUND'
end
if redis.call('HEXISTS', KEYS[1], 'done:' .. ARGV[6]) == 1 then
  return 'DONE'
end
if known[1] == ARGV[7] then
  return 'NOT_IN_STATE'
end
local time = redis.call('TIME')
local newest = redis.call('HMGET', KEYS[6], 'ticket_id', 'fencing_token')
local token = string.format('%.0f', math.max(
  time[1] * 1000000 + time[2], tonumber(known[2]) + 1, tonumber(newest[2] or 0) + 1))
local facts = tonumber(known[3]) + 1
redis.call('HSET', KEYS[1], 'status', ARGV[7], 'fencing_token', token, 'holder', '', 'facts', facts,
  'fact:' .. facts, ARGV[7] .. ' ' .. ARGV[3] .. ' ' .. token, 'updated_at', ARGV[3],
  'finished_at', ARGV[3], 'next_attempt_at', '', 'last_error', 'corrected: ' .. ARGV[8],
  'done:' .. ARGV[6], ARGV[3])
if known[1] ~= 'FINISHED' and ARGV[7] == 'FAILED' then
  redis.call('HSET', KEYS[1], 'failed_from', known[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[9])
redis.call('PEXPIRE', KEYS[3], ARGV[9])
redis.call('ZREM', KEYS[5], ARGV[2])
redis.call('HSET', KEYS[6], 'fencing_token', token)
if newest[1] == ARGV[1] then
  redis.call('HSET', KEYS[6], 'open', '0')
  redis.call('PEXPIRE', KEYS[6], ARGV[9])
  redis.call('DEL', KEYS[2])
end
if redis.call('HGET', KEYS[7], 'ticket_id') == ARGV[1] then
  redis.call('DEL', KEYS[7])
end
local event = {'XADD', KEYS[4], 'MAXLEN', '~', ARGV[5], '*', 'action', 'TICKET_CORRECTED', 'outcome',
  'accepted', 'resource_id', ARGV[1], 'fencing_token', token, 'from', known[1], 'to', ARGV[7],
  'reason', ARGV[8], 'origin', ARGV[4], 'aside:refused', redis.call('SCARD', KEYS[3])}
for i, text in ipairs(redis.call('HGETALL', KEYS[1])) do
  event[#event + 1] = i % 2 == 1 and 'aside:' .. text or text
end
redis.call(unpack(event))
return 'DONE'

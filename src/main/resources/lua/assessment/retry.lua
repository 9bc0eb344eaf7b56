-- Give a FAILED ticket another row of attempts: it is due now, in the status in which it failed.
--
-- KEYS[1]  ticket   hash, the facts
-- KEYS[2]  lease    string, the holder; none while a ticket is FAILED
-- KEYS[3]  refused  set, holders whose writes were refused; kept as long as the ticket
-- KEYS[4]  audit    stream of the lane
-- KEYS[5]  agenda   zset, ticket scored by the time it is to be looked at, in ms
-- KEYS[6]  asset    hash {ticket_id, open, fencing_token, deaths}: the asset's newest ticket
-- KEYS[7]  fresh    hash, the answer of the fast filter; never that of a FAILED ticket
-- ARGV[1]  ticket   its id
-- ARGV[2]  entry    its member in the agenda
-- ARGV[3]  at       the time, RFC 3339
-- ARGV[4]  origin   opaque JSON: on whose behalf
-- ARGV[5]  backlog  about how many events the stream keeps
-- ARGV[6]  id       of this intervention; done once, however often it is asked for
--
-- returns  DONE               it is due, or was made so before under this id
-- returns  NOT_FOUND          no such ticket
-- returns  NOT_IN_STATE       it is not FAILED
-- returns  OTHER_TICKET_OPEN  the asset has an unfinished ticket; there is never more than one
local known = redis.call('HMGET', KEYS[1], 'status', 'failed_from', 'facts', 'fencing_token')
if not known[1] then
  return 'NOT_FOUND'
end
if redis.call('HEXISTS', KEYS[1], 'done:' .. ARGV[6]) == 1 then
  return 'DONE'
end
if known[1] ~= 'FAILED' then
  return 'NOT_IN_STATE'
end
if redis.call('HGET', KEYS[6], 'open') == '1' then
  return 'OTHER_TICKET_OPEN'
end
local time = redis.call('TIME')
local now_ms = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local facts = tonumber(known[3]) + 1
local back = known[2] or 'INIT'
redis.call('HSET', KEYS[1], 'status', back, 'attempts', 0, 'holder', '', 'facts', facts,
  'fact:' .. facts, back .. ' ' .. ARGV[3] .. ' ' .. known[4], 'updated_at', ARGV[3],
  'done:' .. ARGV[6], ARGV[3])
redis.call('HDEL', KEYS[1], 'finished_at', 'failed_from')
redis.call('PERSIST', KEYS[1])
redis.call('PERSIST', KEYS[3])
redis.call('DEL', KEYS[2], KEYS[7])
redis.call('HSET', KEYS[6], 'ticket_id', ARGV[1], 'open', '1', 'deaths', 0)
redis.call('PERSIST', KEYS[6])
redis.call('ZADD', KEYS[5], now_ms, ARGV[2])
redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[5], '*', 'action', 'TICKET_RETRIED', 'outcome',
  'accepted', 'resource_id', ARGV[1], 'fencing_token', known[4], 'from', 'FAILED', 'to', back,
  'origin', ARGV[4])
return 'DONE'

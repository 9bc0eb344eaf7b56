-- Open a ticket for an asset and take its lease, or join the one that is unfinished, or answer with the
-- one that is fresh: it may have ended since the caller looked. Whoever asks again under the id of a ticket
-- that it has opened before gets that one, in whatever status.
--
-- KEYS[1]  asset     hash {ticket_id, open, fencing_token, deaths, changed}: the asset's newest ticket
-- KEYS[2]  lease     string, the holder
-- KEYS[3]  ticket    hash, made here unless it is there
-- KEYS[4]  agenda    zset, ticket scored by the time it is to be looked at, in ms
-- KEYS[5]  audit     stream of the lane
-- KEYS[6]  recent    zset, tickets by the time they were opened, in ms
-- KEYS[7]  fresh     hash {ticket_id, head, refused}: the answer of the fast filter
-- ARGV[1]  holder    who will run it at once; empty leaves it to the sweeper
-- ARGV[2]  ttl       ms
-- ARGV[3]  asset     its id
-- ARGV[4]  ticket    its id, chosen by the caller
-- ARGV[5]  entry     its member in the agenda
-- ARGV[6]  at        the time, RFC 3339
-- ARGV[7]  trace     traceparent
-- ARGV[8]  origin    opaque JSON: on whose behalf
-- ARGV[9]  backlog   about how many events the stream keeps
-- ARGV[10] keep      ms for which `recent` lists a ticket
-- ARGV[11] force     1 opens a ticket though one is fresh
--
-- returns  OPENED  and the fencing token; the ticket is the caller's to run (or queued)
-- returns  JOINED  and the id of the unfinished ticket, or of the one opened before; nothing was changed
-- returns  FRESH   and the fresh answer's head and count of refusals; nothing was changed
local newest = redis.call('HMGET', KEYS[1], 'open', 'ticket_id', 'fencing_token')
if newest[1] == '1' and newest[2] == ARGV[4] and ARGV[1] ~= ''
  and redis.call('GET', KEYS[2]) == ARGV[1] then
  return {'OPENED', newest[3]}
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  return {'JOINED', ARGV[4]}
end
if newest[1] == '1' then
  return {'JOINED', newest[2]}
end
local fresh = redis.call('HMGET', KEYS[7], 'head', 'refused')
if fresh[1] and ARGV[11] ~= '1' then
  return {'FRESH', fresh[1], fresh[2]}
end
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local token = string.format('%.0f', math.max(
  time[1] * 1000000 + time[2], tonumber(newest[3] or 0) + 1))
local runs_now = ARGV[1] ~= ''
redis.call('HSET', KEYS[3], 'ticket_id', ARGV[4], 'asset_id', ARGV[3], 'status', 'INIT',
  'fencing_token', token, 'holder', ARGV[1], 'attempts', runs_now and 1 or 0,
  'created_at', ARGV[6], 'updated_at', ARGV[6], 'traceparent', ARGV[7],
  'facts', 1, 'fact:1', 'INIT ' .. ARGV[6] .. ' ' .. token)
redis.call('HSET', KEYS[1], 'ticket_id', ARGV[4], 'open', '1', 'fencing_token', token, 'deaths', 0,
  'changed', 0)
redis.call('PERSIST', KEYS[1])
if runs_now then
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
  redis.call('ZADD', KEYS[4], string.format('%.0f', now_ms + ARGV[2]), ARGV[5])
else
  redis.call('ZADD', KEYS[4], string.format('%.0f', now_ms), ARGV[5])
end
redis.call('ZADD', KEYS[6], string.format('%.0f', now_ms), ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', string.format('%.0f', now_ms - ARGV[10]))
redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[9], '*', 'action', 'TICKET_OPENED', 'outcome',
  'accepted', 'resource_id', ARGV[4], 'fencing_token', token, 'holder', ARGV[1], 'to', 'INIT',
  'origin', ARGV[8])
return {'OPENED', token}

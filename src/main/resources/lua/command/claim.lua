-- Claim one sending of a command that is due: who gets SEND sends it, and nobody else does for a while.
--
-- KEYS[1]  command  hash, the facts
-- KEYS[2]  agenda   zset, commands by when they are to be sent, in ms
-- KEYS[3]  audit    stream of the lane
-- ARGV[1]  entry    its member in the agenda
-- ARGV[2]  at       the time, RFC 3339
-- ARGV[3]  backoff  ms until it is sent again unless it is answered; doubled at every sending
-- ARGV[4]  sends    how many sendings are enough: after these it waits for its device to come back
-- ARGV[5]  arrived  1 if its device has just connected: then it need not be due
-- ARGV[6]  backlog  about how many events the stream keeps
--
-- returns  SEND     followed by the command's fields and values
-- returns  NOT_DUE  someone else has sent it, or it was answered; nothing was changed
-- returns  OVER     its life is over, or it is not known any more
--
-- A sender that dies after its claim costs one pause.
local known = redis.call('HMGET', KEYS[1], 'status', 'sends', 'expires_ms', 'trace')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not known[1] or now >= tonumber(known[3]) then
  redis.call('ZREM', KEYS[2], ARGV[1])
  return {'OVER'}
end
if known[1] ~= 'pending' and known[1] ~= 'sent' and known[1] ~= 'acked' then
  return {'NOT_DUE'}
end
local due = redis.call('ZSCORE', KEYS[2], ARGV[1])
if ARGV[5] ~= '1' and (not due or tonumber(due) > now) then
  return {'NOT_DUE'}
end
local sends = known[2] + 1
redis.call('HSET', KEYS[1], 'sends', sends, 'last_sent_at', ARGV[2])
redis.call('HSETNX', KEYS[1], 'sent_at', ARGV[2])
if known[1] == 'pending' then
  redis.call('HSET', KEYS[1], 'status', 'sent')
end
if sends >= tonumber(ARGV[4]) then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[3] * 2 ^ (sends - 1)), ARGV[1])
end
local facts = redis.call('HGETALL', KEYS[1])
local id = redis.call('HGET', KEYS[1], 'command_id')
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[6], '*', 'action', 'COMMAND_SENT', 'outcome', 'accepted',
  'resource_type', 'command', 'resource_id', id, 'from', known[1], 'sends', sends, 'at', ARGV[2],
  'origin', known[4])
table.insert(facts, 1, 'SEND')
return facts

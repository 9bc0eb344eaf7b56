-- Record what became of a command; its end is the end of the session it stops.
--
-- KEYS[1]   command      hash, the facts
-- KEYS[2]   agenda       zset, commands by when they are to be sent, in ms
-- KEYS[3]   expiry       zset, commands by when they are to be given up, in ms
-- KEYS[4]   outstanding  zset, the device's unfinished commands by when they were made, in ms
-- KEYS[5]   stopping     zset, stopping sessions by their start, in ms
-- KEYS[6]   stopped      zset, stopped sessions by their start, in ms
-- KEYS[7]   forget       zset, stopped sessions by when `stopped` may forget them, in ms
-- KEYS[8]   audit        stream of the lane
-- KEYS[9..] sessions     hashes, where the session may lie: as its device's newest, or aside
-- ARGV[1]   report       acked | applied | failed, the device's word; expired, the clock's
-- ARGV[2]   detail       the device's, may be empty
-- ARGV[3]   at           the time, RFC 3339
-- ARGV[4]   command      its id
-- ARGV[5]   entry        its member in agenda, expiry and outstanding
-- ARGV[6]   session      its id
-- ARGV[7]   member       the session's member among all of the lane
-- ARGV[8]   keep         ms for which what has ended stays
-- ARGV[9]   origin       opaque JSON: on whose behalf; empty for that of the command
-- ARGV[10]  backlog      about how many events the stream keeps
-- ARGV[11]  patience     ms after which a device that has it and says no more is sent it again
--
-- returns  RECORDED   the command has moved on
-- returns  REPEATED   it said so before, or said more; nothing but the event
-- returns  LATE       it had ended otherwise; the report stands beside its end, which stays
-- returns  NOT_FOUND  no such command
-- returns  NOT_DUE    the clock has not come to its end, or it has ended
local known = redis.call('HMGET', KEYS[1], 'status', 'expires_ms', 'trace')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not known[1] then
  redis.call('ZREM', KEYS[2], ARGV[5])
  redis.call('ZREM', KEYS[3], ARGV[5])
  redis.call('ZREM', KEYS[4], ARGV[5])
  return 'NOT_FOUND'
end
local ended = known[1] == 'applied' or known[1] == 'failed' or known[1] == 'expired'
if ARGV[1] == 'expired' and (ended or now < tonumber(known[2])) then
  return 'NOT_DUE'
end
local refusal = nil
if ended and ARGV[1] ~= known[1] and (ARGV[1] ~= 'acked' or known[1] == 'expired') then
  refusal = 'LATE'
  redis.call('HSET', KEYS[1], 'late_report', ARGV[1], 'late_report_at', ARGV[3])
elseif ended or ARGV[1] == known[1] then
  refusal = 'REPEATED'
end
redis.call('XADD', KEYS[8], 'MAXLEN', '~', ARGV[10], '*', 'action', 'COMMAND_' .. string.upper(ARGV[1]),
  'outcome', string.lower(refusal or 'accepted'), 'resource_type', 'command', 'resource_id', ARGV[4],
  'session_id', ARGV[6], 'from', known[1], 'detail', ARGV[2], 'at', ARGV[3],
  'origin', ARGV[9] == '' and known[3] or ARGV[9])
if refusal then
  return refusal
end
redis.call('HSET', KEYS[1], 'status', ARGV[1], ARGV[1] .. '_at', ARGV[3])
if ARGV[1] == 'acked' then
  redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[11]), ARGV[5])
  return 'RECORDED'
end
redis.call('ZREM', KEYS[2], ARGV[5])
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], 'detail', ARGV[2])
end
if ARGV[1] ~= 'expired' then
  redis.call('HSETNX', KEYS[1], 'acked_at', ARGV[3])
end
redis.call('PEXPIRE', KEYS[1], ARGV[8])
redis.call('ZREM', KEYS[3], ARGV[5])
redis.call('ZREM', KEYS[4], ARGV[5])
local confirmation = ARGV[1] == 'applied' and 'applied' or 'unconfirmed'
for i = 9, #KEYS do
  local session = redis.call('HMGET', KEYS[i], 'session_id', 'status', 'started_ms', 'device_id')
  if session[1] == ARGV[6] and session[2] == 'stopping' then
    redis.call('HSET', KEYS[i], 'status', 'stopped', 'stopped_at', ARGV[3], 'confirmation', confirmation)
    redis.call('PEXPIRE', KEYS[i], ARGV[8])
    redis.call('ZREM', KEYS[5], ARGV[7])
    redis.call('ZADD', KEYS[6], session[3], ARGV[7])
    redis.call('ZADD', KEYS[7], string.format('%.0f', now + ARGV[8]), ARGV[7])
    redis.call('XADD', KEYS[8], 'MAXLEN', '~', ARGV[10], '*', 'action', 'LIVE_STOPPED', 'outcome', 'accepted',
      'resource_type', 'device', 'resource_id', session[4], 'session_id', ARGV[6], 'command_id', ARGV[4],
      'confirmation', confirmation, 'at', ARGV[3], 'origin', ARGV[9] == '' and known[3] or ARGV[9])
  end
end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[7], '-inf', string.format('%.0f', now), 'LIMIT', 0, 10)) do
  redis.call('ZREM', KEYS[6], gone)
  redis.call('ZREM', KEYS[7], gone)
end
return 'RECORDED'

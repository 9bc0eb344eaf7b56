-- Request the stop of a live session: the session's one stop command is made here, and nowhere else.
--
-- KEYS[1]   session      hash, the device's newest session
-- KEYS[2]   lock         string, the stop command: one stop per session, never deleted
-- KEYS[3]   past         hash, the named session if another has taken its place
-- KEYS[4]   active       zset, devices with a live session by their last heartbeat, in ms
-- KEYS[5]   live         zset, live sessions by their start, in ms
-- KEYS[6]   stopping     zset, stopping sessions by their start, in ms
-- KEYS[7]   command      hash, made here
-- KEYS[8]   agenda       zset, commands by when they are to be sent, in ms
-- KEYS[9]   expiry       zset, commands by when they are to be given up, in ms
-- KEYS[10]  outstanding  zset, the device's unfinished commands by when they were made, in ms
-- KEYS[11]  commands     zset, the device's commands by when they were made, in ms
-- KEYS[12]  audit        stream of the lane
-- ARGV[1]   device       its id
-- ARGV[2]   session      the one to be stopped
-- ARGV[3]   by           user | heartbeat_timeout | superseded
-- ARGV[4]   silent       ms of silence without which nothing happens; empty if a heartbeat does not matter
-- ARGV[5]   reason       why, in the caller's words; may be empty
-- ARGV[6]   at           the time, RFC 3339
-- ARGV[7]   command      its id, which follows from the session's
-- ARGV[8]   entry        the command's member in agenda, expiry and outstanding
-- ARGV[9]   member       the session's member among all of the lane
-- ARGV[10]  lock_ttl     ms
-- ARGV[11]  lifetime     ms until the command is given up
-- ARGV[12]  keep         ms for which an ended command is listed
-- ARGV[13]  trace        opaque JSON: the origin of what the service does later for this command
-- ARGV[14]  origin       opaque JSON: on whose behalf
-- ARGV[15]  backlog      about how many events the stream keeps
-- ARGV[16]  request      names who asks; may be empty
--
-- returns  ACCEPTED          with its status and its command, which is new; or this very request made it,
--                            and hears the same again: nothing was changed
-- returns  ALREADY_STOPPING  with its status and its command; nothing was changed
-- returns  ALREADY_STOPPED   with its status and its command; nothing was changed
-- returns  SUPERSEDED        another session took its place; with status and command, if known
-- returns  NO_SESSION        the device has none
-- returns  NOT_DUE           it was heard in time, or is not live any more; nothing was changed
--
-- A request that changes nothing is an event too; a time-out that was none is not.
local known = redis.call('HMGET', KEYS[1], 'session_id', 'status', 'command_id', 'last_heartbeat_ms',
  'started_ms', 'stop_request', 'last_heartbeat_at')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[4] ~= '' then
  if not known[1] then
    redis.call('ZREM', KEYS[4], ARGV[1])
    return {'NOT_DUE'}
  end
  if known[1] ~= ARGV[2] or known[2] ~= 'live' or now - known[4] <= tonumber(ARGV[4]) then
    return {'NOT_DUE'}
  end
end
if known[1] == ARGV[2] and ARGV[16] ~= '' and known[6] == ARGV[16] then
  return {'ACCEPTED', known[2], known[3]}
end
local refusal = nil
if not known[1] then
  refusal = 'NO_SESSION'
elseif known[1] ~= ARGV[2] then
  refusal = 'SUPERSEDED'
  known = redis.call('HMGET', KEYS[3], 'session_id', 'status', 'command_id')
elseif known[2] == 'stopping' then
  refusal = 'ALREADY_STOPPING'
elseif known[2] == 'stopped' then
  refusal = 'ALREADY_STOPPED'
elseif not redis.call('SET', KEYS[2], ARGV[7], 'NX', 'PX', ARGV[10]) then
  refusal = 'ALREADY_STOPPING'
  known[3] = redis.call('GET', KEYS[2])
end
if refusal then
  redis.call('XADD', KEYS[12], 'MAXLEN', '~', ARGV[15], '*', 'action', 'LIVE_STOP_REQUESTED',
    'outcome', string.lower(refusal), 'resource_type', 'device', 'resource_id', ARGV[1],
    'session_id', ARGV[2], 'command_id', known[3] or '', 'by', ARGV[3], 'reason', ARGV[5], 'at', ARGV[6],
    'origin', ARGV[14])
  return {refusal, known[2] or '', known[3] or ''}
end
local now_ms = string.format('%.0f', now)
redis.call('HSET', KEYS[1], 'status', 'stopping', 'stop_requested_at', ARGV[6], 'stopped_by', ARGV[3],
  'reason', ARGV[5], 'command_id', ARGV[7], 'stop_request', ARGV[16])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[9])
redis.call('ZADD', KEYS[6], known[5], ARGV[9])
redis.call('HSET', KEYS[7], 'command_id', ARGV[7], 'device_id', ARGV[1], 'session_id', ARGV[2],
  'type', 'stop_stream', 'status', 'pending', 'sends', 0, 'reason', ARGV[5], 'created_at', ARGV[6],
  'created_ms', now_ms, 'expires_ms', string.format('%.0f', now + ARGV[11]), 'trace', ARGV[13])
redis.call('ZADD', KEYS[8], now_ms, ARGV[8])
redis.call('ZADD', KEYS[9], string.format('%.0f', now + ARGV[11]), ARGV[8])
redis.call('ZADD', KEYS[10], now_ms, ARGV[8])
redis.call('ZADD', KEYS[11], now_ms, ARGV[7])
local kept = ARGV[11] + ARGV[12]
redis.call('ZREMRANGEBYSCORE', KEYS[11], '-inf', string.format('%.0f', now - kept))
redis.call('PEXPIRE', KEYS[11], string.format('%.0f', kept))
redis.call('XADD', KEYS[12], 'MAXLEN', '~', ARGV[15], '*', 'action', 'LIVE_STOP_REQUESTED',
  'outcome', 'accepted', 'resource_type', 'device', 'resource_id', ARGV[1], 'session_id', ARGV[2],
  'command_id', ARGV[7], 'by', ARGV[3], 'reason', ARGV[5], 'at', ARGV[6], 'last_heartbeat_at', known[7],
  'origin', ARGV[14])
return {'ACCEPTED', 'stopping', ARGV[7]}

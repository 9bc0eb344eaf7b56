-- Start a live session on a device that has none, and put what is left of the last one aside.
--
-- KEYS[1]  session   hash, the device's newest session
-- KEYS[2]  previous  where the session that was newest goes; unused if there was none
-- KEYS[3]  past      where this session would lie if another had taken its place; must not exist
-- KEYS[4]  command   where this session's stop command will lie; must not exist
-- KEYS[5]  active    zset, devices with a live session by their last heartbeat, in ms
-- KEYS[6]  live      zset, live sessions by their start, in ms
-- KEYS[7]  audit     stream of the lane
-- ARGV[1]  device    its id
-- ARGV[2]  session   its id
-- ARGV[3]  newest    the session the caller believes to be the newest; empty for none
-- ARGV[4]  entry     the session's member among all of the lane
-- ARGV[5]  at        the time, RFC 3339
-- ARGV[6]  origin    opaque JSON: on whose behalf
-- ARGV[7]  backlog   about how many events the stream keeps
--
-- returns  STARTED   it is live
-- returns  LIVE      it has been live; nothing was changed
-- returns  ENDED     this id had its life, and its one stop; nothing was changed
-- returns  OCCUPIED  another session is live, and is to be stopped first; nothing was changed
-- returns  CHANGED   the newest session is another than the caller believes; nothing was changed
local known = redis.call('HMGET', KEYS[1], 'session_id', 'status')
if known[1] == ARGV[2] and known[2] == 'live' then
  return 'LIVE'
end
if known[1] == ARGV[2] or redis.call('EXISTS', KEYS[3], KEYS[4]) > 0 then
  redis.call('XADD', KEYS[7], 'MAXLEN', '~', ARGV[7], '*', 'action', 'LIVE_STARTED', 'outcome', 'ended',
    'resource_type', 'device', 'resource_id', ARGV[1], 'session_id', ARGV[2], 'at', ARGV[5],
    'origin', ARGV[6])
  return 'ENDED'
end
if (known[1] or '') ~= ARGV[3] then
  return 'CHANGED'
end
if known[2] == 'live' then
  return 'OCCUPIED'
end
local time = redis.call('TIME')
local now_ms = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
if known[1] then
  redis.call('RENAME', KEYS[1], KEYS[2])
end
redis.call('HSET', KEYS[1], 'device_id', ARGV[1], 'session_id', ARGV[2], 'status', 'live',
  'started_at', ARGV[5], 'started_ms', now_ms, 'last_heartbeat_at', ARGV[5], 'last_heartbeat_ms', now_ms)
redis.call('ZADD', KEYS[5], now_ms, ARGV[1])
redis.call('ZADD', KEYS[6], now_ms, ARGV[4])
redis.call('XADD', KEYS[7], 'MAXLEN', '~', ARGV[7], '*', 'action', 'LIVE_STARTED', 'outcome', 'accepted',
  'resource_type', 'device', 'resource_id', ARGV[1], 'session_id', ARGV[2], 'at', ARGV[5],
  'origin', ARGV[6])
return 'STARTED'

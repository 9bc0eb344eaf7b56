-- Note that a device was heard, if its session is live still.
--
-- KEYS[1]  session  hash, the device's newest session
-- KEYS[2]  active   zset, devices with a live session by their last heartbeat, in ms
-- ARGV[1]  device   its id
-- ARGV[2]  session  its id
-- ARGV[3]  at       the time, RFC 3339, as people and probes read it
--
-- returns  HEARD     it is live
-- returns  NOT_LIVE  it is not, or another took its place; nothing was changed
--
-- A heartbeat is no event: a fleet would drown its history in them. It counts until the session is
-- stopped, however late it is: whichever of heartbeat and time-out runs first wins.
local known = redis.call('HMGET', KEYS[1], 'session_id', 'status')
if known[1] ~= ARGV[2] or known[2] ~= 'live' then
  return 'NOT_LIVE'
end
local time = redis.call('TIME')
local now_ms = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'last_heartbeat_at', ARGV[3], 'last_heartbeat_ms', now_ms)
redis.call('ZADD', KEYS[2], now_ms, ARGV[1])
return 'HEARD'

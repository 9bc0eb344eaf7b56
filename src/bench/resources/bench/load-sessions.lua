-- Fill one lane with live sessions. A measuring script: it builds keys, which no script of the product
-- does.
--
-- KEYS[1]   active   zset, devices with a live session by their last heartbeat, in ms
-- KEYS[2]   live     zset, live sessions by their start, in ms
-- ARGV[1]   prefix   of a session's key, "live:{n}:session:"
-- ARGV[2]   silent   1 for sessions that are to be found silent
-- ARGV[3]   session  id, the same for all
-- ARGV[4..] devices  their ids
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local heard = ARGV[2] == '1' and '1' or now
local at = '2026-11-30T08:15:00.000Z'
for i = 4, #ARGV do
  redis.call('HSET', ARGV[1] .. ARGV[i], 'device_id', ARGV[i], 'session_id', ARGV[3], 'status', 'live',
    'started_at', at, 'started_ms', now, 'last_heartbeat_at', at, 'last_heartbeat_ms', heard)
  redis.call('ZADD', KEYS[1], heard, ARGV[i])
  redis.call('ZADD', KEYS[2], now, ARGV[i] .. ' ' .. ARGV[3])
end
return 'LOADED'

-- Read which devices of one lane have been silent for too long, the longest first.
--
-- KEYS[1]  active   zset, devices with a live session by their last heartbeat, in ms
-- ARGV[1]  timeout  ms; a device that is silent for exactly as long is alive
-- ARGV[2]  batch    how many at the most
--
-- returns a list: how many sessions of the lane are live, then the silent devices
local time = redis.call('TIME')
local limit = string.format('(%.0f', time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1])
local silent = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', limit, 'LIMIT', 0, ARGV[2])
table.insert(silent, 1, redis.call('ZCARD', KEYS[1]))
return silent

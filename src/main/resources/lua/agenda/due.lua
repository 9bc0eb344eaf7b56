-- Read what is due in one lane, oldest first.
--
-- KEYS[1]  agenda  zset, subject scored by the time it is to be looked at, in ms
-- ARGV[1]  batch   how many at the most
--
-- returns a list of subjects; empty when nothing is due
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now_ms), 'LIMIT', 0, ARGV[1])

-- Read what is due in one lane, oldest first.
--
-- KEYS[1]  agenda  zset, subject scored by the time it is to be looked at, in ms
-- ARGV[1]  batch   how many at the most
--
-- returns a list: how many subjects there are in all, how many ms the first is overdue (0 if it is not),
-- then those that are due
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now_ms), 'WITHSCORES',
  'LIMIT', 0, ARGV[1])
local answer = {redis.call('ZCARD', KEYS[1]), due[2] and now_ms - tonumber(due[2]) or 0}
for i = 1, #due, 2 do
  answer[#answer + 1] = due[i]
end
return answer

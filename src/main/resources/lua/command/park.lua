-- Put off commands that are due and whose device nobody has: they must not hide those of others. They go
-- out as soon as their device connects, whatever stands here.
--
-- KEYS[1]  agenda    zset, commands by when they are to be sent, in ms
-- ARGV[1]  grace     ms for which whoever has the device may claim it first
-- ARGV[2]  delay     ms until it is looked at again
-- ARGV[3..] entries  members of the agenda
--
-- returns how many were put off
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local parked = 0
for i = 3, #ARGV do
  local due = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if due and tonumber(due) + ARGV[1] <= now then
    redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[i])
    parked = parked + 1
  end
end
return parked

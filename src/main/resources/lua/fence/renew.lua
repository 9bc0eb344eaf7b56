-- Renew leases of one lane, and move their agenda entries along with them.
--
-- KEYS[1]    agenda   zset, subject scored by the time it is to be looked at, in ms
-- KEYS[2..]  lease    string, the holder; one key per lease
-- ARGV[1]    ttl      ms from now
-- ARGV[2..]  renewal  holder and subject, a pair per lease, in the order of the keys
--
-- returns a list with one answer per lease:
-- returns  RENEWED  the lease lasts for another ttl
-- returns  LOST     it expired, or another holder has it; nothing was changed
local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local answers = {}
for i = 2, #KEYS do
  local holder, subject = ARGV[2 * i - 2], ARGV[2 * i - 1]
  if redis.call('GET', KEYS[i]) == holder then
    redis.call('PEXPIRE', KEYS[i], ARGV[1])
    redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', due), subject)
    answers[i - 1] = 'RENEWED'
  else
    answers[i - 1] = 'LOST'
  end
end
return answers

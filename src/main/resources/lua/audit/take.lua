-- Take the right to move a lane's events to the ledger.
--
-- KEYS[1]  lease   string, the holder
-- KEYS[2]  fence   string, the newest token
-- ARGV[1]  holder  who wants it
-- ARGV[2]  ttl     ms
--
-- returns  TAKEN  followed by the fencing token
-- returns  HELD   someone else moves them
if not redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
  return {'HELD'}
end
local time = redis.call('TIME')
local last = redis.call('GET', KEYS[2])
local token = string.format('%.0f', math.max(time[1] * 1000000 + time[2], tonumber(last or 0) + 1))
redis.call('SET', KEYS[2], token)
return {'TAKEN', token}

-- Take over a subject that is due: lock, token and all its facts in one step.
--
-- KEYS[1]  lease    string, the holder
-- KEYS[2]  subject  hash with fencing_token, holder, attempts
-- KEYS[3]  asset    hash with fencing_token, the newest right to write over all subjects, and deaths: how
--                   many holders in a row left the subject without a word
-- KEYS[4]  agenda   zset, subject scored by the time it is to be looked at, in ms
-- KEYS[5]  audit    stream of the lane
-- ARGV[1]  holder   who wants it
-- ARGV[2]  ttl      ms
-- ARGV[3]  entry    the subject's member in the agenda
-- ARGV[4]  id       the subject's id, for the event
-- ARGV[5]  action   what the event is called
-- ARGV[6]  origin   opaque JSON: on whose behalf
-- ARGV[7]  backlog  about how many events the stream keeps
--
-- returns  ACQUIRED  followed by the subject's fields and values, with the new token, and deaths
-- returns  HELD      a holder is at work
-- returns  NOT_DUE   it ended, or it is someone else's turn
--
-- The token is the clock's, or one more than the last: it rises after eviction, restart and failover.
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZSCORE', KEYS[4], ARGV[3])
if not due or tonumber(due) > now_ms or redis.call('EXISTS', KEYS[2]) == 0 then
  return {'NOT_DUE'}
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return {'HELD'}
end
local known = redis.call('HMGET', KEYS[2], 'fencing_token', 'holder')
local asset = redis.call('HMGET', KEYS[3], 'fencing_token', 'deaths')
local deaths = tonumber(asset[2] or 0)
if known[2] and known[2] ~= '' then
  deaths = deaths + 1
end
local token = string.format('%.0f', math.max(
  time[1] * 1000000 + time[2], tonumber(known[1] or 0) + 1, tonumber(asset[1] or 0) + 1))
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('HSET', KEYS[2], 'fencing_token', token, 'holder', ARGV[1])
redis.call('HINCRBY', KEYS[2], 'attempts', 1)
redis.call('HSET', KEYS[3], 'fencing_token', token, 'deaths', deaths)
redis.call('ZADD', KEYS[4], string.format('%.0f', now_ms + ARGV[2]), ARGV[3])
redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[7], '*', 'action', ARGV[5], 'outcome', 'accepted',
  'resource_id', ARGV[4], 'fencing_token', token, 'holder', ARGV[1], 'origin', ARGV[6])
local facts = redis.call('HGETALL', KEYS[2])
table.insert(facts, 1, 'ACQUIRED')
facts[#facts + 1] = 'deaths'
facts[#facts + 1] = '' .. deaths
return facts

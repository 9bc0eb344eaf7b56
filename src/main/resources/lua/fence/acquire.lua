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
local facts = redis.call('HGETALL', KEYS[2])
if not due or tonumber(due) > now_ms or #facts == 0 then
  return {'NOT_DUE'}
end
local at = {}
for i = 1, #facts, 2 do
  at[facts[i]] = i + 1
end
local asset = redis.call('HMGET', KEYS[3], 'fencing_token', 'deaths')
local deaths = tonumber(asset[2] or 0)
if facts[at.holder] ~= '' then
  deaths = deaths + 1
end
local token = string.format('%.0f', math.max(
  time[1] * 1000000 + time[2], facts[at.fencing_token] + 1, tonumber(asset[1] or 0) + 1))
local attempts = string.format('%.0f', facts[at.attempts] + 1)
if not redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
  return {'HELD'}
end
redis.call('HSET', KEYS[2], 'fencing_token', token, 'holder', ARGV[1], 'attempts', attempts)
redis.call('HSET', KEYS[3], 'fencing_token', token, 'deaths', deaths)
redis.call('ZADD', KEYS[4], string.format('%.0f', now_ms + ARGV[2]), ARGV[3])
redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[7], '*', 'action', ARGV[5], 'outcome', 'accepted',
  'resource_id', ARGV[4], 'fencing_token', token, 'holder', ARGV[1], 'origin', ARGV[6])
facts[at.fencing_token], facts[at.holder], facts[at.attempts] = token, ARGV[1], attempts
facts[#facts + 1] = 'deaths'
facts[#facts + 1] = '' .. deaths
table.insert(facts, 1, 'ACQUIRED')
return facts

-- End a family of refresh tokens, by the word of somebody who holds one of it.
--
-- KEYS[1]  family     hash {user_id, client, tv, current, previous, rotated_at, revoked}
-- KEYS[2]  answer     string, the last answer, for repeats
-- KEYS[3]  audit      stream of the lane
-- ARGV[1]  presented  hash of the token that came
-- ARGV[2]  user       its id
-- ARGV[3]  origin     opaque JSON: on whose behalf
-- ARGV[4]  backlog    about how many events the stream keeps
--
-- returns  ENDED      no token of it is good any more
-- returns  NOT_FOUND  no such family, or the token is none of its last two
local known = redis.call('HMGET', KEYS[1], 'current', 'previous')
if known[1] ~= ARGV[1] and known[2] ~= ARGV[1] then
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 'action', 'LOGIN_ENDED', 'outcome',
    'NOT_FOUND', 'resource_type', 'user', 'resource_id', ARGV[2], 'origin', ARGV[3])
  return 'NOT_FOUND'
end
redis.call('HSET', KEYS[1], 'revoked', '1')
redis.call('DEL', KEYS[2])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 'action', 'LOGIN_ENDED', 'outcome',
  'accepted', 'resource_type', 'user', 'resource_id', ARGV[2], 'origin', ARGV[3])
return 'ENDED'

-- Exchange a refresh token for the next one of its family. A token that comes a second time is either
-- repeated by its owner, who did not hear the answer, or stolen: a repeat in time gets the very answer
-- of the first, later nobody can tell who is who, and the family ends.
--
-- KEYS[1]  family     hash {user_id, client, tv, current, previous, rotated_at, revoked}
-- KEYS[2]  answer     string, the last answer, sealed so that only the token it was given for opens it
-- KEYS[3]  audit      stream of the lane
-- ARGV[1]  presented  hash of the token that came
-- ARGV[2]  client     who presents it
-- ARGV[3]  next       hash of the token to be given for it
-- ARGV[4]  sealed     the answer to be given, sealed
-- ARGV[5]  repeat     ms within which a repeat is honest
-- ARGV[6]  lifetime   ms until the family ends unless it is refreshed
-- ARGV[7]  user       its id
-- ARGV[8]  origin     opaque JSON: on whose behalf
-- ARGV[9]  backlog    about how many events the stream keeps
--
-- returns  ROTATED       the answer may be given
-- returns  REPEATED      give the answer that follows instead
-- returns  REUSED        a token of the past came; the family has ended
-- returns  REVOKED       the family had ended before
-- returns  OTHER_CLIENT  the token was given to somebody else; nothing was changed
-- returns  NOT_FOUND     no such family, or it has run out
local known = redis.call('HMGET', KEYS[1], 'current', 'previous', 'client', 'rotated_at', 'revoked')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local refusal
if not known[1] then
  refusal = 'NOT_FOUND'
elseif known[5] then
  refusal = 'REVOKED'
elseif known[3] ~= ARGV[2] then
  refusal = 'OTHER_CLIENT'
elseif known[1] ~= ARGV[1] then
  local last = redis.call('GET', KEYS[2])
  if known[2] == ARGV[1] and last and now - tonumber(known[4]) <= tonumber(ARGV[5]) then
    redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[9], '*', 'action', 'TOKEN_REFRESHED', 'outcome',
      'repeated', 'resource_type', 'user', 'resource_id', ARGV[7], 'origin', ARGV[8])
    return {'REPEATED', last}
  end
  refusal = 'REUSED'
end
if refusal then
  local action = 'TOKEN_REFRESHED'
  if refusal == 'REUSED' then
    action = 'TOKEN_REUSE_DETECTED'
    redis.call('HSET', KEYS[1], 'revoked', '1')
    redis.call('DEL', KEYS[2])
  end
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[9], '*', 'action', action, 'outcome', refusal,
    'resource_type', 'user', 'resource_id', ARGV[7], 'origin', ARGV[8])
  return {refusal}
end
redis.call('HSET', KEYS[1], 'current', ARGV[3], 'previous', ARGV[1], 'rotated_at',
  string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[9], '*', 'action', 'TOKEN_REFRESHED', 'outcome',
  'accepted', 'resource_type', 'user', 'resource_id', ARGV[7], 'origin', ARGV[8])
return {'ROTATED'}

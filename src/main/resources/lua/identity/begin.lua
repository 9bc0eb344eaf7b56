-- Begin a family of refresh tokens: one login, in which each token is good for one refresh.
--
-- KEYS[1]  family    hash {user_id, client, tv, current, previous, rotated_at, revoked}
-- KEYS[2]  audit     stream of the lane
-- ARGV[1]  user      its id
-- ARGV[2]  client    who may refresh
-- ARGV[3]  tv        the user's token version; the family ends when that rises
-- ARGV[4]  current   hash of the first token
-- ARGV[5]  lifetime  ms until it ends unless it is refreshed
-- ARGV[6]  origin    opaque JSON: on whose behalf
-- ARGV[7]  backlog   about how many events the stream keeps
-- ARGV[8]  grant     its name in access tokens
--
-- returns  BEGUN  it is there
redis.call('HSET', KEYS[1], 'user_id', ARGV[1], 'client', ARGV[2], 'tv', ARGV[3], 'current', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[7], '*', 'action', 'LOGIN', 'outcome', 'accepted',
  'resource_type', 'user', 'resource_id', ARGV[1], 'grant_id', ARGV[8], 'origin', ARGV[6])
return 'BEGUN'

-- Tell all replicas what is true about a user. PostgreSQL is the truth; an older one never replaces
-- a newer one, in whatever order they arrive.
--
-- KEYS[1]  user         hash, what replicas know of the user
-- ARGV[1]  version      rises with every change
-- ARGV[2]  tv           token version
-- ARGV[3]  pv           permission version
-- ARGV[4]  permissions  their names, separated by blanks
-- ARGV[5]  revoked      grants and tokens given back before their end, separated by blanks
-- ARGV[6]  gone         1 if the user was deleted
-- ARGV[7]  keep         ms until Redis may forget it
--
-- returns  PUBLISHED  replicas learn of it
-- returns  OLDER      they know of something newer; nothing was changed
local known = redis.call('HGET', KEYS[1], 'version')
if known and tonumber(known) > tonumber(ARGV[1]) then
  return 'OLDER'
end
local time = redis.call('TIME')
local now_ms = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'tv', ARGV[2], 'pv', ARGV[3], 'permissions', ARGV[4],
  'revoked', ARGV[5], 'gone', ARGV[6], 'published_at', now_ms)
redis.call('PEXPIRE', KEYS[1], ARGV[7])
return 'PUBLISHED'

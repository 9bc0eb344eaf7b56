-- Read one session, wherever it lies.
--
-- KEYS[1]  session  hash, the device's newest session
-- KEYS[2]  past     hash, the wanted session if another has taken its place
-- ARGV[1]  session  its id
--
-- returns a list of fields and values; empty if there is no such session
if redis.call('HGET', KEYS[1], 'session_id') == ARGV[1] then
  return redis.call('HGETALL', KEYS[1])
end
return redis.call('HGETALL', KEYS[2])

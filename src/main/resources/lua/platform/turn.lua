-- Take a turn, go on with it, or end it: one of many has it at a time.
--
-- KEYS[1]  turn  string, the name of who has it
-- ARGV[1]  name  who asks
-- ARGV[2]  ttl   ms for which it is theirs unless they ask again; 0 ends it
--
-- returns  OURS      it is theirs
-- returns  ANOTHERS  it is not
local has = redis.call('GET', KEYS[1])
if has and has ~= ARGV[1] then
  return 'ANOTHERS'
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 'ANOTHERS'
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'OURS'

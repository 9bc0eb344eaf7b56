-- Release the right to move a lane's events to the ledger.
--
-- KEYS[1]  lease   string, the holder
-- ARGV[1]  holder  who had it
--
-- returns  RELEASED  it is free
-- returns  LOST      it expired, or another holder has it; nothing was changed
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'LOST'
end
redis.call('DEL', KEYS[1])
return 'RELEASED'

-- Forget what the fast filter would answer about an asset that is not what it was; the ticket that is
-- under way will not be that answer either, because it may rest on what was.
--
-- KEYS[1]  asset  hash {ticket_id, open, fencing_token, deaths, changed}: the asset's newest ticket
-- KEYS[2]  fresh  hash {ticket_id, head, refused}: the answer of the fast filter
--
-- returns  DONE  it is forgotten
redis.call('DEL', KEYS[2])
if redis.call('HGET', KEYS[1], 'open') == '1' then
  redis.call('HSET', KEYS[1], 'changed', 1)
end
return 'DONE'

-- Read a ticket and how many stale writes to it were refused, as of one moment.
--
-- KEYS[1]  ticket   hash, the facts
-- KEYS[2]  refused  hash {holder: answer}: the holders whose stale writes were refused
--
-- returns a list: the count of refusals, then fields and values; only the count if there is no ticket
local facts = redis.call('HGETALL', KEYS[1])
table.insert(facts, 1, redis.call('HLEN', KEYS[2]))
return facts

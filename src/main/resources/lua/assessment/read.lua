-- Read a ticket and how many stale writes to it were refused, as of one moment.
--
-- KEYS[1]  ticket   hash, the facts
-- KEYS[2]  refused  integer, stale writes refused
--
-- returns a list: the count of refusals, then fields and values; only the count if there is no ticket
local facts = redis.call('HGETALL', KEYS[1])
table.insert(facts, 1, redis.call('GET', KEYS[2]) or '0')
return facts

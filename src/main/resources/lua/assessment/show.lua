-- Show some fields of a ticket and how many stale writes to it were refused, as of one moment.
--
-- KEYS[1]  ticket   hash, the facts
-- KEYS[2]  refused  set, holders whose writes were refused
-- ARGV     fields   the names
--
-- returns a list: the count of refusals, then the values in the order of the fields, nil where there is none
local shown = redis.call('HMGET', KEYS[1], unpack(ARGV))
table.insert(shown, 1, redis.call('SCARD', KEYS[2]))
return shown

-- Look at the two ends of a lane's stream.
--
-- KEYS[1]  events  stream of the lane
--
-- returns a list: how many events there are, the id of the newest, the id of the oldest but one; empty
-- texts for ids that there are not. The oldest is, as a rule, the last one the ledger has.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 2)
return {
  redis.call('XLEN', KEYS[1]), newest[1] and newest[1][1] or '', oldest[2] and oldest[2][1] or ''}

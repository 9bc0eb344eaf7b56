-- The same fenced write on a ticket that is one JSON document: the way without a hash.
--
-- KEYS[1]  ticket    string, JSON
-- KEYS[2]  lease     string, the holder
-- KEYS[3]  audit     stream of the lane
-- ARGV[1]  token     the caller's fencing token
-- ARGV[2]  holder    the caller
-- ARGV[3]  status    from which it may be written
-- ARGV[4]  at        the time
-- ARGV[5]  findings  JSON
local ticket = cjson.decode(redis.call('GET', KEYS[1]))
if ticket.fencing_token ~= ARGV[1] then
  return 'STALE_TOKEN'
end
if ticket.holder ~= ARGV[2] or redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return 'LEASE_LOST'
end
if ticket.status ~= ARGV[3] then
  return 'ILLEGAL_TRANSITION'
end
ticket.updated_at = ARGV[4]
ticket.findings = cjson.decode(ARGV[5])
redis.call('SET', KEYS[1], cjson.encode(ticket))
redis.call('XADD', KEYS[3], 'MAXLEN', '~', 10000, '*', 'action', 'TICKET_RECORDED', 'outcome',
  'accepted', 'resource_id', ticket.ticket_id, 'fencing_token', ARGV[1], 'holder', ARGV[2], 'to', ARGV[3],
  'then', 'KEEP', 'origin', '{}')
return 'RECORDED'

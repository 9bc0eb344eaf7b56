-- Fill one lane with finished tickets, as they lie there after a day. A measuring script: it builds
-- keys, which no script of the product does.
--
-- KEYS[1]  recent  zset of the lane
-- ARGV[1]  prefix  of keys, "assessment:{n}:"
-- ARGV[2]  from    number of the first
-- ARGV[3]  count   how many
-- ARGV[4]  facts   bytes of facts
local time = redis.call('TIME')
local now = time[1] * 1000
local facts = string.rep('x', ARGV[4])
local head = string.rep('y', 64)
for i = ARGV[2], ARGV[2] + ARGV[3] - 1 do
  local id = string.format('t%s-%026d', string.match(ARGV[1], '{(%d+)}'), i)
  local ticket = ARGV[1] .. 'ticket:' .. id
  local asset = ARGV[1] .. 'asset:old-' .. i
  redis.call('HSET', ticket, 'ticket_id', id, 'asset_id', 'old-' .. i, 'status', 'FINISHED',
    'fencing_token', '1796071234567890', 'holder', '', 'attempts', '1',
    'created_at', '2026-11-30T08:15:00.000Z', 'updated_at', '2026-11-30T08:15:01.000Z',
    'traceparent', head, 'facts', '7', 'fact:1', head, 'fact:2', head, 'fact:3', head,
    'fact:4', head, 'fact:5', head, 'fact:6', head, 'fact:7', head,
    'completed_steps', head, 'findings', facts, 'finished_at', '2026-11-30T08:15:01.000Z')
  redis.call('PEXPIRE', ticket, 86400000)
  redis.call('HSET', asset, 'ticket_id', id, 'open', '0', 'fencing_token', '1796071234567890', 'deaths', '0')
  redis.call('PEXPIRE', asset, 86400000)
  redis.call('ZADD', KEYS[1], now, id)
end
return 'LOADED'

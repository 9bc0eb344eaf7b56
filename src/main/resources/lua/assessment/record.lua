-- Record facts in a ticket on behalf of its holder, move its status, and keep, hand back or end it.
--
-- KEYS[1]   ticket   hash, the facts
-- KEYS[2]   lease    string, the holder
-- KEYS[3]   refused  set, holders whose writes were refused
-- KEYS[4]   audit    stream of the lane
-- KEYS[5]   agenda   zset, ticket scored by the time it is to be looked at, in ms
-- KEYS[6]   asset    hash {ticket_id, open, fencing_token, deaths, changed}: the asset's newest ticket
-- KEYS[7]   fresh    hash {ticket_id, head, refused}: the answer of the fast filter
-- ARGV[1]   token    the caller's fencing token
-- ARGV[2]   holder   the caller
-- ARGV[3]   path     statuses joined by '>', from the present one; alone if it does not move; empty
--                    from a holder that only lets go, in whatever status: it needs its token, not time
-- ARGV[4]   edges    the table of legal edges, as '|A>B|B>C|'
-- ARGV[5]   then     KEEP | RETURN (release, look again later) | END (release, for good)
-- ARGV[6]   ms       RETURN: look again in so many; END: keep the ticket for so many
-- ARGV[7]   at       the time, RFC 3339
-- ARGV[8]   ticket   its id
-- ARGV[9]   entry    its member in the agenda
-- ARGV[10]  origin   opaque JSON: on whose behalf
-- ARGV[11]  backlog  about how many events the stream keeps
-- ARGV[12]  fresh    END: ms for which the fast filter may answer with it, unless its asset changed
--                    meanwhile; 0 for never
-- ARGV[13]  head     END: the answer's JSON, up to the count of refusals
-- ARGV[14..] facts   field and value, in pairs
--
-- returns  RECORDED            all of it; nothing, if it lets go of what it has let go of before
-- returns  NOT_FOUND           no such ticket
-- returns  STALE_TOKEN         a newer right to write exists; nothing of the ticket was changed
-- returns  LEASE_LOST          it expired, or is another's; nothing of the ticket was changed
-- returns  ILLEGAL_TRANSITION  not from this status; nothing of the ticket was changed
--
-- All checks come before the first write: Redis does not roll a script back. Each holder's refusal is
-- counted and recorded once: what it tries after that tells nothing new. And who is refused is alive, so
-- it did not die over the ticket.
--
-- What an event carries aside is how the ticket stands then: for who reads it after Redis has forgotten.
local known = redis.call('HMGET', KEYS[1], 'fencing_token', 'holder', 'status', 'facts')
if not known[1] then
  return 'NOT_FOUND'
end
local path = {}
if ARGV[3] == '' then
  path[1] = known[3]
end
for status in string.gmatch(ARGV[3], '[^>]+') do
  path[#path + 1] = status
end
local refusal = nil
if known[1] ~= ARGV[1] then
  refusal = 'STALE_TOKEN'
elseif known[2] ~= ARGV[2] or (ARGV[3] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[2]) then
  refusal = 'LEASE_LOST'
elseif path[1] ~= known[3] then
  refusal = 'ILLEGAL_TRANSITION'
end
for i = 2, #path do
  if not refusal and not string.find(ARGV[4], '|' .. path[i - 1] .. '>' .. path[i] .. '|', 1, true) then
    refusal = 'ILLEGAL_TRANSITION'
  end
end
if refusal == 'LEASE_LOST' and ARGV[3] == '' and known[2] == '' then
  return 'RECORDED'
end
if refusal then
  if redis.call('SADD', KEYS[3], ARGV[2]) == 0 then
    return refusal
  end
  if tonumber(redis.call('HGET', KEYS[6], 'deaths') or 0) > 0 then
    redis.call('HINCRBY', KEYS[6], 'deaths', -1)
  end
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then
    redis.call('PEXPIRE', KEYS[3], left)
  end
  if redis.call('HGET', KEYS[7], 'ticket_id') == ARGV[8] then
    redis.call('HINCRBY', KEYS[7], 'refused', 1)
  end
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[11], '*', 'action', 'STALE_WRITE_REFUSED',
    'outcome', refusal, 'resource_id', ARGV[8], 'fencing_token', ARGV[1], 'newest_token', known[1],
    'holder', ARGV[2], 'from', known[3], 'path', ARGV[3], 'origin', ARGV[10],
    'aside:refused', redis.call('SCARD', KEYS[3]))
  return refusal
end
local facts = tonumber(known[4])
local change = {'HSET', KEYS[1], 'status', path[#path], 'updated_at', ARGV[7]}
for i = 2, #path do
  facts = facts + 1
  change[#change + 1] = 'fact:' .. facts
  change[#change + 1] = path[i] .. ' ' .. ARGV[7] .. ' ' .. ARGV[1]
  local event = {'XADD', KEYS[4], 'MAXLEN', '~', ARGV[11], '*', 'action', 'TICKET_' .. path[i], 'outcome',
    'accepted', 'resource_id', ARGV[8], 'fencing_token', ARGV[1], 'holder', ARGV[2], 'from', path[i - 1],
    'to', path[i], 'origin', ARGV[10]}
  if i == #path and ARGV[5] == 'END' then
    event[#event + 1] = 'aside:head'
    event[#event + 1] = ARGV[13]
    event[#event + 1] = 'aside:refused'
    event[#event + 1] = redis.call('SCARD', KEYS[3])
  end
  redis.call(unpack(event))
end
if #path == 1 then
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[11], '*', 'action', 'TICKET_RECORDED', 'outcome',
    'accepted', 'resource_id', ARGV[8], 'fencing_token', ARGV[1], 'holder', ARGV[2], 'to', path[1],
    'then', ARGV[5], 'origin', ARGV[10])
end
change[#change + 1] = 'facts'
change[#change + 1] = facts
if ARGV[5] ~= 'KEEP' then
  change[#change + 1] = 'holder'
  change[#change + 1] = ''
end
for i = 14, #ARGV do
  change[#change + 1] = ARGV[i]
end
redis.call(unpack(change))
local asset = redis.call('HMGET', KEYS[6], 'deaths', 'changed')
if asset[1] ~= '0' then
  redis.call('HSET', KEYS[6], 'deaths', 0)
end
if ARGV[5] == 'RETURN' then
  local time = redis.call('TIME')
  local due = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[6]
  redis.call('ZADD', KEYS[5], string.format('%.0f', due), ARGV[9])
  redis.call('DEL', KEYS[2])
elseif ARGV[5] == 'END' then
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
  redis.call('PEXPIRE', KEYS[3], ARGV[6])
  redis.call('HSET', KEYS[6], 'open', '0')
  redis.call('PEXPIRE', KEYS[6], ARGV[6])
  redis.call('ZREM', KEYS[5], ARGV[9])
  redis.call('DEL', KEYS[2])
  if tonumber(ARGV[12]) > 0 and asset[2] ~= '1' then
    redis.call('HSET', KEYS[7], 'ticket_id', ARGV[8], 'head', ARGV[13],
      'refused', redis.call('SCARD', KEYS[3]))
    redis.call('PEXPIRE', KEYS[7], ARGV[12])
  end
end
return 'RECORDED'

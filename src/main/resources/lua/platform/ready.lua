-- Show that this Redis takes writes and runs scripts.
--
-- KEYS[1]  probe  string, written and gone again at once
--
-- returns  READY  it does
redis.call('SET', KEYS[1], '1', 'PX', 1000)
return 'READY'

-- Live sessions and commands, written in the transaction that records their events. The fields are those
-- that Redis keeps.
create table live_view (
  device_id  text collate "C" not null,
  session_id text collate "C" not null,
  started_ms bigint           not null,
  -- Orders sessions that were started in the same millisecond.
  member     text collate "C" not null,
  status     text             not null,
  fields     jsonb            not null,
  primary key (device_id, session_id)
);

create index live_view_newest on live_view (started_ms desc, member desc);
create index live_view_status on live_view (status, started_ms desc, member desc);
create index live_view_device on live_view (device_id, started_ms desc);

create table command_view (
  command_id text collate "C" primary key,
  device_id  text collate "C" not null,
  created_ms bigint           not null,
  fields     jsonb            not null
);

create index command_view_device on command_view (device_id, created_ms desc, command_id desc);

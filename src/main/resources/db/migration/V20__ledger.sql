-- The ledger: every event for ever, in one chain of hashes per lane. See docs/audit.md.
create table audit_event (
  lane          integer     not null,
  sequence      bigint      not null,
  -- "timestamp" in answers: when Redis wrote it. Never falls within a lane.
  at            timestamptz not null,
  event_id      text        not null,
  trace_id      text,
  service_name  text        not null,
  user_id       text,
  action        text        not null,
  resource_type text        not null,
  resource_id   text        not null,
  outcome       text        not null,
  fencing_token bigint,
  -- Canonical JSON, byte for byte what was hashed. Text, so that nothing writes it anew.
  details       text        not null,
  ip_address    text,
  user_agent    text,
  previous_hash text        not null,
  hash          text        not null,
  version       smallint    not null,
  primary key (lane, sequence, at)
) partition by range (at);

create index audit_event_time on audit_event (at, lane, sequence);
create index audit_event_resource on audit_event (resource_id, at, lane, sequence);
create index audit_event_resource_type on audit_event (resource_type, at, lane, sequence);
create index audit_event_user on audit_event (user_id, at, lane, sequence);
create index audit_event_action on audit_event (action, at, lane, sequence);
create index audit_event_outcome on audit_event (outcome, at, lane, sequence);
create index audit_event_trace on audit_event (trace_id, at, lane, sequence);
create index audit_event_link on audit_event (lane, previous_hash);

-- Where each chain ends. It moves by compare-and-set, so no event is recorded twice.
create table audit_head (
  lane          integer     primary key,
  sequence      bigint      not null,
  hash          text        not null,
  stream_id     text        not null,
  at            timestamptz not null,
  fencing_token bigint      not null
);

-- Events from outside scripts are numbered by their process, per lane: a repeat is left out, a gap shows.
create table audit_process (
  lane     integer     not null,
  process  text        not null,
  sequence bigint      not null,
  at       timestamptz not null,
  primary key (lane, process)
);

-- Every month that ever had a partition, and which table that was: one that is gone, or another one, shows.
create table audit_partition (
  month date primary key,
  name  text not null,
  oid   oid  not null
);

-- Signed heads of all lanes. The payload is what was signed, byte for byte.
create table audit_checkpoint (
  number     bigint      primary key,
  made_at    timestamptz not null,
  payload    text        not null,
  kid        text        not null,
  algorithm  text        not null,
  signature  text        not null,
  public_key text        not null
);

-- From where a chain verifies after older months were archived: the last event that left.
create table audit_cut (
  lane     integer     not null,
  sequence bigint      not null,
  hash     text        not null,
  month    date        not null,
  archive  text        not null,
  primary key (lane, sequence)
);

-- Episodes of alerts: one telling each, and whether it is still to be told.
create table audit_alert (
  rule       text        not null,
  subject    text        not null,
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  events     bigint      not null,
  told       boolean     not null,
  primary key (rule, subject)
);

-- Makes the partition of a month unless it is there. Safe to call from everywhere at once.
create function audit_partition_for(wanted date) returns void language plpgsql as $$
declare
  first_day date := date_trunc('month', wanted)::date;
  next_month date := (date_trunc('month', wanted) + interval '1 month')::date;
  partition_name text := 'audit_event_' || to_char(wanted, 'YYYY_MM');
begin
  if to_regclass(partition_name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('audit_partition'));
  if to_regclass(partition_name) is null then
    execute format('create table %I partition of audit_event for values from (%L) to (%L)',
      partition_name, first_day || ' 00:00:00+00', next_month || ' 00:00:00+00');
    insert into audit_partition values (first_day, partition_name, to_regclass(partition_name)::oid)
      on conflict (month) do nothing;
  end if;
end $$;

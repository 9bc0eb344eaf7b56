-- Months that have left the ledger, with what was signed of each before it left: behind that the chains
-- go on.
drop table audit_cut;

create table audit_archive (
  name       text        primary key,
  month      date        not null,
  made_at    timestamptz not null,
  events     bigint      not null,
  sha256     text        not null,
  -- Where every lane begins and ends in the archive, byte for byte what was signed.
  payload    text        not null,
  kid        text        not null,
  algorithm  text        not null,
  signature  text        not null,
  public_key text        not null
);

alter table audit_partition
  -- Its table was dropped in the transaction that recorded its archive.
  add archived boolean not null default false,
  add fencing_token bigint not null default 0;

-- As before; and a month that was archived comes back when a lane that was late brings more of it.
create or replace function audit_partition_for(wanted date) returns void language plpgsql as $$
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
    insert into audit_partition as known (month, name, oid)
      values (first_day, partition_name, to_regclass(partition_name)::oid)
      on conflict (month) do update set oid = excluded.oid, archived = false where known.archived;
  end if;
end $$;

-- As before. Who waited for another that makes the same month looks for it among the rows of the catalogue:
-- what a session remembers of tables may be older than its turn.
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
  if not exists (
    select from pg_class
    where relname = partition_name and relnamespace = current_schema()::regnamespace) then
    execute format('create table %I partition of audit_event for values from (%L) to (%L)',
      partition_name, first_day || ' 00:00:00+00', next_month || ' 00:00:00+00');
    insert into audit_partition as known (month, name, oid)
      values (first_day, partition_name, to_regclass(partition_name)::oid)
      on conflict (month) do update set oid = excluded.oid, archived = false where known.archived;
  end if;
end $$;

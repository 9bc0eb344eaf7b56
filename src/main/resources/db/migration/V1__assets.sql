-- Assets: what the fleet consists of.
-- Ids are compared by bytes, so that pages come in the same order whatever the server's locale is.
create table asset (
  asset_id     text collate "C" primary key,
  display_name text,
  address      text        not null,
  exposure     text        not null check (exposure in ('public', 'internal', 'unknown')),
  criticality  text        check (criticality in ('low', 'medium', 'high', 'critical')),
  labels       jsonb       not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);

-- Lists filter by "has all of these labels" (labels @> ...).
create index asset_labels on asset using gin (labels jsonb_path_ops);

-- Inventories are read as a whole and replaced as a whole, so a row holds all components, as JSON:
-- [[purl], [purl, source name, source version], ...]. Text, not jsonb: nothing looks inside, and
-- jsonb cannot hold every string that JSON can.
create table inventory (
  asset_id   text collate "C" primary key references asset on delete cascade,
  components text        not null,
  updated_at timestamptz not null
);

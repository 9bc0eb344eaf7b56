-- Tickets as clients see them, written in the transaction that records their events.
create table ticket_view (
  ticket_id  text collate "C" primary key,
  -- The part of the id that orders tickets by time, whatever their lane.
  ulid       text collate "C" not null,
  asset_id   text collate "C" not null,
  status     text             not null,
  updated_at timestamptz      not null,
  answer     text             not null
);

create index ticket_view_newest on ticket_view (ulid desc);
create index ticket_view_asset on ticket_view (asset_id, ulid desc);
create index ticket_view_status on ticket_view (status, ulid desc);

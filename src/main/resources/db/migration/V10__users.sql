-- Users: people, services and devices. A user that is deleted keeps its row, so that its versions go
-- on rising if the name is given out again, and tokens of its first life stay refused.
create table app_user (
  user_id            text collate "C" primary key,
  kind               text        not null check (kind in ('person', 'service', 'device')),
  password_hash      text        not null,
  permissions        text[]      not null,
  token_version      bigint      not null,
  permission_version bigint      not null,
  -- Rises with every change of what replicas must know; published_version follows once Redis has it.
  version            bigint      not null,
  published_version  bigint      not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  deleted_at         timestamptz
);

create index app_user_unpublished on app_user (user_id) where published_version < version;

-- Logins (grants) and single access tokens that were given back before they ran out.
create table revoked_grant (
  user_id    text collate "C" not null references app_user,
  grant_id   text             not null,
  expires_at timestamptz      not null,
  primary key (user_id, grant_id)
);

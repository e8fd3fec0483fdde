create table users (
  id uuid primary key,
  login text collate "C" not null check (login ~ '^[a-z0-9][a-z0-9._@+-]{0,99}$'),
  name text not null,
  email text,
  -- argon2id in PHC form; null: no password
  password_hash text,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint users_login_taken unique (login)
);

create table groups (
  id uuid primary key,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  created_at timestamptz not null,
  constraint groups_name_taken unique (name)
);

create table group_members (
  group_id uuid not null references groups (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (group_id, user_id)
);
create index group_members_by_user on group_members (user_id);

create table service_accounts (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  disabled_at timestamptz,
  created_at timestamptz not null,
  constraint service_accounts_name_taken unique (team_path, name)
);

create table tokens (
  id uuid primary key,
  name text not null,
  -- SHA-256 of the whole token; the token itself is shown once and never stored
  token_sha256 bytea not null,
  -- Last four characters, so that a person recognises it in a list
  last_four text not null,
  user_id uuid references users (id) on delete cascade,
  service_account_id uuid references service_accounts (id) on delete cascade,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  constraint tokens_sha256_taken unique (token_sha256),
  constraint tokens_have_one_owner check (num_nonnulls(user_id, service_account_id) = 1)
);
create index tokens_by_user on tokens (user_id);
create index tokens_by_service_account on tokens (service_account_id);

-- A role for a subject at a team path and everything below it; '/' is the platform.
create table grants (
  id uuid primary key,
  subject_kind text not null check (subject_kind in ('user', 'group', 'service_account')),
  user_id uuid references users (id) on delete cascade,
  group_id uuid references groups (id) on delete cascade,
  service_account_id uuid references service_accounts (id) on delete cascade,
  role text not null check (role in ('viewer', 'operator', 'editor', 'owner', 'administrator')),
  team_path text collate "C" not null,
  -- The team itself, unless the grant is for the platform: a grant goes with its team, so that a team that is made anew
  -- under the same path begins with none.
  team_ref text collate "C" generated always as (nullif(team_path, '/')) stored
    references teams (path) on delete cascade,
  created_at timestamptz not null,
  constraint grants_have_one_subject check (num_nonnulls(user_id, group_id, service_account_id) = 1),
  constraint grants_subject_matches_kind check (
    (subject_kind = 'user') = (user_id is not null)
    and (subject_kind = 'group') = (group_id is not null)
    and (subject_kind = 'service_account') = (service_account_id is not null)),
  constraint grants_administrators_are_platform_wide check (role <> 'administrator' or team_path = '/'),
  constraint grants_taken unique nulls not distinct (user_id, group_id, service_account_id, role, team_path)
);
create index grants_by_team on grants (team_path);
create index grants_by_team_ref on grants (team_ref);

-- One row. Whatever changes the answer to "who may do what" raises it, so that a snapshot knows whether it is fresh.
create table access_revision (
  one boolean primary key default true check (one),
  revision bigint not null,
  -- Set when an administrator revokes the bootstrap token
  bootstrap_revoked_at timestamptz
);
insert into access_revision (revision) values (1);

create function raise_access_revision() returns trigger language plpgsql as $$
begin
  update access_revision set revision = revision + 1;
  perform pg_notify('access_changed', '');
  return null;
end $$;

create trigger grants_raise_access_revision after insert or update or delete on grants
  for each statement execute function raise_access_revision();
create trigger group_members_raise_access_revision after insert or update or delete on group_members
  for each statement execute function raise_access_revision();
create trigger users_raise_access_revision after insert or update or delete on users
  for each statement execute function raise_access_revision();
create trigger service_accounts_raise_access_revision after insert or update or delete on service_accounts
  for each statement execute function raise_access_revision();
create trigger environments_raise_access_revision after insert or update or delete on environments
  for each statement execute function raise_access_revision();
create trigger teams_raise_access_revision after insert or update or delete on teams
  for each statement execute function raise_access_revision();
-- A revoked or expired token must not live on in a cache; its last use changes nothing.
create trigger tokens_raise_access_revision after update of revoked_at, expires_at or delete on tokens
  for each statement execute function raise_access_revision();

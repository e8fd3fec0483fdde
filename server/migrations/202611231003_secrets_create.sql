create table secrets (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'),
  -- The version in use; older ones stay for a source that is being rotated
  version integer not null check (version > 0),
  -- Names of environments that may use it; empty: all
  environments text[] not null,
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint secrets_name_taken unique (team_path, name)
);

create table secret_versions (
  secret_id uuid not null references secrets (id) on delete cascade,
  version integer not null check (version > 0),
  -- AES-256-GCM envelope, bound to secret id and version
  sealed bytea not null,
  key_version integer not null,
  -- Tells which of two live versions a sender still signs with: an older one that nobody uses can go
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (secret_id, version)
);
create index secret_versions_by_key on secret_versions (key_version);

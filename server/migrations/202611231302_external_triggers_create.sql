-- Addresses that start one pipeline for whoever knows their secret.
create table external_triggers (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  variables jsonb not null check (jsonb_typeof(variables) = 'object'),
  -- Names of variables that who fires it may set
  allowed_variables text[] not null,
  run_team_path text collate "C" references teams (path) on update cascade on delete set null,
  rate_per_minute integer not null check (rate_per_minute between 1 and 10000),
  enabled boolean not null,
  -- The secret itself is stored nowhere
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  secret_set_at timestamptz not null,
  -- On whose behalf its runs start; authorized again at each fire
  owner_kind text not null check (owner_kind in ('user', 'service_account', 'bootstrap')),
  owner_id text not null,
  owner_name text not null,
  last_fired_at timestamptz,
  last_run_id uuid,
  last_refusal text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint external_triggers_name_taken unique (team_path, name)
);

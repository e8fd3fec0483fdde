-- One-time tokens by which runners enrol.
create table runner_enrollments (
  id uuid primary key,
  token_sha256 bytea not null,
  team_path text collate "C" not null,
  -- Patterns of scopes that the runner will serve: acme/** or **
  scopes text[] not null check (cardinality(scopes) > 0),
  labels text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  -- An enrolment that nobody used goes with its team.
  team_ref text collate "C" generated always as (case when used_at is null then nullif(team_path, '/') end) stored
    references teams (path) on delete cascade,
  constraint runner_enrollments_sha256_taken unique (token_sha256)
);
create index runner_enrollments_by_team on runner_enrollments (team_path, id);
create index runner_enrollments_by_team_ref on runner_enrollments (team_ref);

-- Those that enrolled, with what they offer and where they are connected.
create table runners (
  id uuid primary key,
  enrollment_id uuid not null references runner_enrollments (id),
  name text not null,
  team_path text collate "C" not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  -- Given at the enrolment or by an operator; what the runner itself offers stands apart, so that neither undoes the other
  labels text[] not null,
  offered_labels text[] not null,
  executors text[] not null,
  capacity integer not null check (capacity between 1 and 10000),
  version text not null,
  credential_sha256 bytea not null,
  enabled boolean not null,
  -- An operator wants nothing new there
  draining boolean not null,
  -- The runner itself said that it will leave once its attempts are done; ends with its stream
  leaving boolean not null,
  -- The control-plane process that holds its stream; null: not connected
  connected_to uuid,
  connected_at timestamptz,
  last_seen_at timestamptz,
  removed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A team that owns a runner cannot be deleted; a removed runner holds nobody.
  team_ref text collate "C" generated always as (case when removed_at is null then nullif(team_path, '/') end) stored
    references teams (path) on delete restrict,
  constraint runners_credential_taken unique (credential_sha256)
);
create index runners_by_team on runners (team_path, id) where removed_at is null;
create index runners_by_team_ref on runners (team_ref);

-- Not on last_seen_at: heartbeats are no change.
create function notify_runners_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('runners_changed', '');
  return null;
end $$;
create trigger runners_notify
  after insert or delete or update of name, scopes, labels, enabled, draining, removed_at on runners
  for each statement execute function notify_runners_changed();

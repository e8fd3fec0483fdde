create table pipelines (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  -- <team_path>/<name>
  identifier text collate "C" not null generated always as (team_path || '/' || name) stored,
  version integer not null check (version > 0),
  -- The profile that the current version names; null: it names none, or the pipeline is deleted.
  -- The reference is what keeps a profile that is in use from being deleted.
  profile_id uuid constraint pipelines_profile_in_use references profiles (id) on delete restrict,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- A deleted pipeline keeps its runs and versions; its name is free again.
create unique index pipelines_identifier_taken on pipelines (identifier) where deleted_at is null;
create index pipelines_by_team on pipelines (team_path, id) where deleted_at is null;
create index pipelines_by_profile on pipelines (profile_id) where profile_id is not null;

-- Every save is a version; a run pins one, so a version is never changed.
create table pipeline_versions (
  id uuid primary key,
  pipeline_id uuid not null references pipelines (id) on delete cascade,
  version integer not null check (version > 0),
  document text not null,
  -- Compiled from the document when it was saved
  graph jsonb not null,
  saved_by text not null,
  saved_at timestamptz not null,
  constraint pipeline_versions_taken unique (pipeline_id, version)
);

-- Profiles that steps and tasks of the current version of a live pipeline name, as they were found at the save.
-- The reference is what keeps a profile that is in use from being deleted.
create table pipeline_profiles (
  pipeline_id uuid not null references pipelines (id) on delete cascade,
  -- As the document names it.
  name text collate "C" not null,
  profile_id uuid not null constraint pipeline_profiles_in_use references profiles (id) on delete restrict,
  primary key (pipeline_id, name)
);
create index pipeline_profiles_by_profile on pipeline_profiles (profile_id);

-- Whoever looks up pipelines in memory asks again.
create function notify_pipelines_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('pipelines_changed', '');
  return null;
end $$;
create trigger pipelines_notify after insert or update or delete on pipelines
  for each statement execute function notify_pipelines_changed();

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

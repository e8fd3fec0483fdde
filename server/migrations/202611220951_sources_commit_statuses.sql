-- What a provider is told of a commit: for each name of a status the run that it tells of. Reruns, other triggers and
-- repeated hooks may run one pipeline for one commit several times; the provider shows one status of a name.
create table commit_statuses (
  source_id uuid not null,
  -- In lower case
  repository text collate "C" not null,
  commit_sha text collate "C" not null,
  context text collate "C" not null,
  run_id uuid not null,
  -- State and sentence that the provider took last; null: none, or nobody knows whether it took one
  told text,
  -- Until then somebody is telling the provider: two at a time could arrive in the wrong order
  held_until timestamptz,
  primary key (source_id, repository, commit_sha, context)
);
-- For the clean-up: ids go by time.
create index commit_statuses_by_run on commit_statuses (run_id);

alter table suspected_changes
  -- As wide as the numbers of pull_request_heads
  alter column pull_request type bigint,
  -- The branch or pull request was gone: what comes from then on is of another
  add column ended_at timestamptz;
-- All of a repository or a source, made or not
create index suspected_changes_of_place on suspected_changes (source_id, repository);
-- Whether this service made an event itself
create unique index suspected_changes_by_event on suspected_changes (made_event_id) where made_event_id is not null;

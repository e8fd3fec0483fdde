-- Where the ref was before, so that a look at a provider's heads can follow what was told.
alter table trigger_events add column before_sha text;

-- Changes that a look at a provider's heads found and no delivery told. Once the service has made the event itself, the
-- row says which deliveries that come late tell of the same.
create table suspected_changes (
  id uuid primary key,
  -- The digest of source, repository, and ref or pull request
  change_key bytea not null,
  source_id uuid not null,
  -- In lower case
  repository text collate "C" not null,
  ref text,
  pull_request integer,
  -- Null: there was none
  before_sha text,
  -- Whole, or as much of it as the provider names
  head_sha text not null,
  -- When the provider says that the pull request changed last
  head_at timestamptz,
  -- The look that saw the head before
  noted_at timestamptz not null,
  -- The look that saw this head first
  suspected_at timestamptz not null,
  -- The look that first saw something untold
  since timestamptz not null,
  made_at timestamptz,
  made_event_id uuid,
  made_delivery_id uuid,
  constraint suspected_changes_key_check check (length(change_key) = 32),
  constraint suspected_changes_of_one check (num_nonnulls(ref, pull_request) = 1),
  constraint suspected_changes_made check (num_nulls(made_at, made_event_id, made_delivery_id) in (0, 3))
);
-- One change of a ref is looked into at a time
create unique index suspected_changes_open on suspected_changes (change_key) where made_at is null;
create index suspected_changes_by_key on suspected_changes (change_key, made_at) where made_at is not null;
create index suspected_changes_of_repository on suspected_changes (source_id, repository) where made_at is null;
create index suspected_changes_by_age on suspected_changes (suspected_at);
-- A head is made once, whatever two looks do at once
create unique index suspected_changes_once on suspected_changes
  (change_key, head_sha, coalesce(before_sha, ''), noted_at) where made_at is not null;

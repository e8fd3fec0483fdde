-- The provider-neutral trigger event: what a delivery or a normalised event meant. Kept by day (ensure_day_partition).
create table trigger_events (
  id uuid primary key,
  -- Null for POST /v1/git/events
  delivery_record_id uuid,
  source_id uuid,
  replay_of uuid,
  kind text not null,
  action text,
  provider text not null,
  repository text not null,
  ref text,
  commit_sha text,
  -- The event itself, only ever read whole. Null for a delivery that is decided at once: its payload says it, and so does each
  -- run that it started
  event json,
  -- Of changes of refs whose provider does not say when they happened: SHA-256 of who told of which ref, and of what happened
  ref_key bytea check (length(ref_key) = 32),
  ref_change bytea check (length(ref_change) = 32),
  -- Of an event for which something must be read from the repository: its manifest, or the files that changed
  resolution text check (resolution in ('pending', 'done')),
  -- Triggers whose `paths` could not be decided yet
  deferred_triggers uuid[],
  -- How often the repository was asked for
  tries integer,
  received_at timestamptz not null
) partition by range (id);
create table trigger_events_default partition of trigger_events default;
create index trigger_events_by_ref on trigger_events (ref_key, id) where ref_key is not null;
-- Events that wait for their repository; few at any time.
create index trigger_events_pending on trigger_events (id) where resolution = 'pending';

-- What started a run for what: two hooks that tell of one change start one run of each trigger.
create table event_starts (
  -- SHA-256 of what happened, told alike by every hook
  happening bytea not null check (length(happening) = 32),
  -- A trigger's id, the name of a manifest's entry, or the word override
  starter text collate "C" not null,
  -- The same text may stand for several changes: of another repository of that name, or of a ref that left a commit and came
  -- back to it. Each has a number of its own
  generation integer not null default 1 check (generation > 0),
  -- Where the repository is shown, and its id there; null: the event did not say
  page text,
  repository_id text,
  run_id uuid not null,
  delivery_record_id uuid,
  made_at timestamptz not null,
  -- From then on the same happening is another one
  same_until timestamptz not null,
  primary key (happening, starter, generation)
);
create index event_starts_by_age on event_starts using brin (same_until);

-- Ends the statement that records starts when one of them is a repetition.
create function refuse_repeated_starts(repeated boolean) returns boolean language plpgsql stable as $$
begin
  if repeated then
    raise unique_violation using message = 'an event started this before', constraint = 'event_starts_pkey';
  end if;
  return true;
end $$;

-- The head of each pull request as last seen: for providers whose events leave it out. Kept for each source: what another
-- team's hook, or whoever posts an event, tells of a pull request must not choose the commit that a comment starts here.
create table pull_request_heads (
  source_id uuid not null,
  -- In lower case
  repository text collate "C" not null,
  -- A provider's number has no bound of its own
  number bigint not null check (number > 0),
  -- Null: the provider named no more than its beginning, which the pull request holds until somebody asks for the whole
  head_sha text,
  ref text,
  -- As in the event, only ever read whole
  pull_request json not null,
  occurred_at timestamptz,
  received_at timestamptz not null,
  primary key (source_id, repository, number)
);
create index pull_request_heads_by_age on pull_request_heads (received_at);

-- Files `.signalbox/triggers.yaml` by what is in them.
create table repository_manifests (
  repository text collate "C" not null,
  blob_id text not null,
  text text not null,
  used_at timestamptz not null,
  primary key (repository, blob_id)
);
create index repository_manifests_by_use on repository_manifests (used_at);

-- Answers to events that named a delivery id: the same one posted again starts nothing.
create table posted_events (
  caller_kind text not null,
  caller_id text not null,
  delivery_id text not null,
  event_id uuid not null,
  answer json not null,
  posted_at timestamptz not null,
  primary key (caller_kind, caller_id, delivery_id)
);
create index posted_events_by_age on posted_events (posted_at);

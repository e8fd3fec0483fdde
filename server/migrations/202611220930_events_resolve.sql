-- What must be read from the repository before the event is decided: its manifest, and the files that changed. `event`
-- is kept for these too.
alter table trigger_events add column source_id uuid;
alter table trigger_events add column replay_of uuid;
alter table trigger_events add column resolution text check (resolution in ('pending', 'done'));
-- Triggers whose `paths` could not be decided yet
alter table trigger_events add column deferred_triggers uuid[];
-- How often the repository was asked for
alter table trigger_events add column tries integer;

-- What started a run for what: two hooks that tell of one change start one run of each trigger.
create table event_starts (
  -- SHA-256 of what happened, told alike by every hook
  happening bytea not null check (length(happening) = 32),
  -- A trigger's id, the name of a manifest's entry, or the word override
  starter text collate "C" not null,
  run_id uuid not null,
  delivery_record_id uuid,
  -- From then on the same happening is another one
  same_until timestamptz not null,
  primary key (happening, starter)
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

-- The head of each pull request as last seen: for providers whose events leave it out.
create table pull_request_heads (
  -- In lower case
  repository text collate "C" not null,
  number integer not null check (number > 0),
  head_sha text not null,
  ref text,
  -- As in the event, only ever read whole
  pull_request json not null,
  occurred_at timestamptz,
  received_at timestamptz not null,
  primary key (repository, number)
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

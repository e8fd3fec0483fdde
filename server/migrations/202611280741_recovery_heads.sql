-- The heads of a repository as the last good look saw them, of sources whose provider shows no log of deliveries.
create table recovery_heads (
  source_id uuid not null,
  -- As it was last heard
  repository text collate "C" not null,
  -- In lower case
  repository_key text collate "C" not null,
  -- Commits by full ref; null: nothing is noted, and the next look only notes
  heads jsonb,
  -- Heads by number of the open pull requests
  pulls jsonb,
  -- Raised by each note: of two looks at once only one is kept
  version integer not null default 0,
  heard_at timestamptz not null,
  -- Looks take turns: the oldest comes first
  turn_at timestamptz not null,
  looked_at timestamptz,
  failed_at timestamptz,
  reason text,
  not_before timestamptz,
  primary key (source_id, repository_key),
  constraint recovery_heads_noted check (num_nulls(heads, pulls) in (0, 2))
);
create index recovery_heads_by_turn on recovery_heads (turn_at);

-- How far events were read to learn of which repositories sources tell
create table recovery_heard (
  one boolean primary key default true check (one),
  event_id uuid not null
);

alter table recoveries
  -- resend: the provider sends it again. made: the service made the event from the heads that the provider shows
  add column kind text not null default 'resend' check (kind in ('resend', 'made')),
  add column ref text,
  add column before_sha text,
  add column head_sha text,
  add column event_id uuid,
  add constraint recoveries_made check (kind = 'resend' or num_nulls(head_sha, event_id, delivery_record_id) = 0);

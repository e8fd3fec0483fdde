-- What starts by the clock. A schedule is one row that says when it fires next; each instant becomes a row of
-- schedule_fires in the transaction that queues its run.
create table schedules (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),

  -- What it starts
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  run_team_path text collate "C" references teams (path) on update cascade on delete set null,
  variables jsonb not null check (jsonb_typeof(variables) = 'object'),
  -- What its tasks check out, looked up at each fire; null: nothing
  repository text,
  ref text,

  -- When it fires
  schedule_kind text not null check (schedule_kind in ('recurring', 'one_time')),
  cron_expression text,
  -- As it was given: without an offset it is local time
  run_at text,
  timezone text not null,
  dst_policy text not null check (dst_policy in ('once', 'skip', 'both')),
  -- As it was given, such as 15m
  spread text,
  exclude_dates text[] not null,
  -- ICS text
  calendar text,
  not_before timestamptz,
  not_after timestamptz,

  -- What else becomes of an instant
  overlap_policy text not null check (overlap_policy in ('allow', 'skip', 'queue_one', 'cancel_running')),
  misfire_policy text not null check (misfire_policy in ('skip', 'last', 'all')),
  misfire_grace_seconds integer not null check (misfire_grace_seconds between 0 and 86400),
  misfire_window_seconds integer not null check (misfire_window_seconds between 0 and 2678400),

  -- On whose behalf its runs start; authorized again at each fire
  owner_kind text not null check (owner_kind in ('user', 'service_account', 'bootstrap')),
  owner_id text not null,
  owner_name text not null,

  -- Where it stands
  enabled boolean not null,
  -- The next planned instant; null: it is disabled, or never fires again
  next_fire_at timestamptz,
  -- Not looked at before: its repository could not be read and is asked again
  retry_at timestamptz,
  retry_reason text,
  last_fire_at timestamptz,
  last_outcome text check (last_outcome in ('started', 'missed', 'skipped_overlap', 'denied', 'invalid')),
  last_reason text,
  last_run_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint schedules_name_taken unique (team_path, name),
  constraint schedules_kind_has_timing check (case schedule_kind
    when 'recurring' then cron_expression is not null
    else run_at is not null end),
  constraint schedules_disabled_rest check (enabled or next_fire_at is null),
  constraint schedules_checkout_is_whole check ((repository is null) = (ref is null)),
  constraint schedules_retry_has_reason check ((retry_at is null) = (retry_reason is null))
);
-- What is due, in the order in which it became due.
create index schedules_due on schedules (coalesce(retry_at, next_fire_at), id) where next_fire_at is not null;

-- Somebody asked for the runs of a past range. Its instants are fires, pending until their turn comes.
create table schedule_backfills (
  id uuid primary key,
  schedule_id uuid not null references schedules (id) on delete cascade,
  from_at timestamptz not null,
  to_at timestamptz not null,
  only_missing boolean not null,
  concurrency integer not null check (concurrency between 1 and 50),
  state text not null check (state in ('running', 'finished', 'canceled')),
  requester_kind text not null check (requester_kind in ('user', 'service_account', 'bootstrap')),
  requester_id text not null,
  requester_name text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint schedule_backfills_forward check (from_at <= to_at),
  constraint schedule_backfills_finished check ((state = 'running') = (finished_at is null))
);
create index schedule_backfills_of_schedule on schedule_backfills (schedule_id, id desc);
create index schedule_backfills_running on schedule_backfills (id) where state = 'running';

-- What became of each instant of a schedule.
create table schedule_fires (
  id uuid primary key,
  schedule_id uuid not null references schedules (id) on delete cascade,
  kind text not null check (kind in ('scheduled', 'requested', 'backfill')),
  backfill_id uuid references schedule_backfills (id) on delete cascade,
  planned_at timestamptz not null,
  -- The instant that the expression names: planned_at without the spread
  nominal_at timestamptz not null,
  fired_at timestamptz,
  outcome text not null check (outcome in
    ('pending', 'started', 'missed', 'skipped_overlap', 'denied', 'invalid', 'canceled')),
  run_id uuid,
  reason text,
  -- How many instants this row stands for: after a long downtime the oldest share one
  missed_count integer not null default 1 check (missed_count > 0),
  -- The last of those instants, where there are several
  missed_until timestamptz,
  constraint schedule_fires_of_backfill check ((kind = 'backfill') = (backfill_id is not null)),
  constraint schedule_fires_wait_in_backfill check (outcome not in ('pending', 'canceled') or kind = 'backfill'),
  constraint schedule_fires_started_has_run check ((outcome = 'started') = (run_id is not null)),
  constraint schedule_fires_decided check ((outcome = 'pending') = (fired_at is null)),
  constraint schedule_fires_nothing_for_reason check (
    (outcome in ('missed', 'skipped_overlap', 'denied', 'invalid')) = (reason is not null)),
  constraint schedule_fires_count_of_missed check (missed_count = 1 or outcome = 'missed'),
  constraint schedule_fires_until_of_missed check ((missed_count > 1) = (missed_until is not null))
);
-- Each instant fires once, whoever tries.
create unique index schedule_fires_once on schedule_fires (schedule_id, planned_at) where kind = 'scheduled';
create unique index schedule_fires_once_in_backfill on schedule_fires (backfill_id, planned_at)
  where backfill_id is not null;
create index schedule_fires_of_schedule on schedule_fires (schedule_id, id desc);
-- Around an instant, and by range.
create index schedule_fires_by_instant on schedule_fires (schedule_id, planned_at);
create index schedule_fires_that_did_not_start on schedule_fires (schedule_id, outcome, id desc)
  where outcome in ('missed', 'skipped_overlap', 'denied', 'invalid');
create index schedule_fires_waiting on schedule_fires (backfill_id, planned_at) where outcome = 'pending';
-- Old ones are dropped by age.
create index schedule_fires_by_age on schedule_fires (fired_at) where fired_at is not null;
create index schedule_fires_by_run on schedule_fires (run_id) where run_id is not null;

-- Schedulers look anew when a schedule that is due soon appears.
create function notify_schedules_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('schedules_changed', '');
  return null;
end $$;
create trigger schedules_inserted after insert on schedules
  for each statement execute function notify_schedules_changed();
create trigger schedule_backfills_inserted after insert on schedule_backfills
  for each statement execute function notify_schedules_changed();

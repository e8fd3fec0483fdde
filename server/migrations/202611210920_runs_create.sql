create table runs (
  id uuid primary key,
  team_path text collate "C" not null,
  pipeline_id uuid not null references pipelines (id),
  pipeline_version_id uuid not null references pipeline_versions (id),
  -- As they were when it was queued
  pipeline_identifier text collate "C" not null,
  pipeline_name text not null,
  pipeline_version integer not null,
  scope text collate "C" not null,
  -- What a runner must have, from the profile: {"executor": "host", "labels": []}
  requirement jsonb not null,
  -- Runs of one lane can be served by the same runners; the dispatcher's queue is one of lanes
  lane text collate "C" not null generated always as (scope || ' ' || requirement::text) stored,
  profile_environment jsonb not null,
  status text not null check (status in
    ('queued', 'running', 'paused', 'success', 'failure', 'warning', 'timed_out', 'canceled')),
  -- One sentence for every status that needs one
  reason text,
  -- Raised by each transition; whoever computed from an older one starts again
  revision bigint not null default 0,
  cause text not null check (cause in ('event', 'request', 'rerun', 'schedule', 'external')),
  event_id uuid,
  trigger_id uuid,
  delivery_record_id uuid,
  rerun_of uuid references runs (id),
  initiator_kind text not null check (initiator_kind in ('user', 'service_account', 'bootstrap', 'system')),
  initiator_id text not null,
  initiator_name text not null,
  -- What the graph's conditions may look at: where in a block of run_event_blocks the event lies; null: there is none
  event_block_id uuid,
  event_offset integer,
  event_bytes integer,
  variables jsonb not null,
  repository text,
  clone_url text,
  ref text,
  branch text,
  commit_sha text,
  -- credential_ref of the source that may read the repository, for the checkout
  checkout_credential_ref text,
  cancel_requested_at timestamptz,
  cancel_reason text,
  -- Set once the run is being ended before its time: {"status": "canceled", "reason": "..."}
  ending jsonb,
  queued_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- When the run's own timeout ends it; null while queued or without a timeout
  deadline_at timestamptz,
  final_output_status text not null default 'none' check (final_output_status in ('none', 'pending', 'ready', 'failed')),
  constraint runs_finished_when_terminal check (
    (status in ('success', 'failure', 'warning', 'timed_out', 'canceled')) = (finished_at is not null))
);
-- The dispatcher's queue, oldest first within a lane.
create index runs_queued on runs (lane, id) where status = 'queued';
create index runs_in_flight on runs (id) where status in ('running', 'paused');
create index runs_to_cancel on runs (id) where cancel_requested_at is not null and finished_at is null;
create index runs_by_team on runs (team_path, id desc);
create index runs_by_team_and_branch on runs (team_path, branch, id desc) where branch is not null;
create index runs_by_branch on runs (branch, id desc) where branch is not null;
create index runs_by_pipeline on runs (pipeline_id, id desc);
create index runs_by_deadline on runs (deadline_at) where status = 'running' and deadline_at is not null;

-- The events of runs that were queued together, in wire shape: JSON texts one behind the other, compressed by zstd as a
-- whole. As jsonb in its row an event of 6 KB was three quarters of the cost of queueing a run.
create table run_event_blocks (
  id uuid primary key,
  events_zstd bytea not null
);
alter table run_event_blocks alter column events_zstd set storage external;

create table run_steps (
  run_id uuid not null references runs (id) on delete cascade,
  step text not null,
  position integer not null,
  status text not null check (status in ('pending', 'ready', 'running', 'paused', 'success', 'failure',
    'failure (ignored)', 'warning', 'skipped', 'canceled', 'timed_out')),
  reason text,
  -- True: what depends on it is skipped
  blocks boolean not null,
  -- Why it is being ended, once its own time is over
  timed_out text,
  started_at timestamptz,
  finished_at timestamptz,
  deadline_at timestamptz,
  primary key (run_id, step)
);
create index run_steps_by_deadline on run_steps (deadline_at) where status = 'running' and deadline_at is not null;

create table run_tasks (
  run_id uuid not null,
  step text not null,
  task text not null,
  position integer not null,
  status text not null check (status in ('pending', 'ready', 'running', 'success', 'failure', 'failure (ignored)',
    'skipped', 'canceled', 'timed_out')),
  reason text,
  -- True: what depends on it is skipped
  blocks boolean not null,
  -- Number of the latest attempt; 0: none yet
  attempt integer not null check (attempt >= 0),
  exit_code integer,
  -- name -> {value} or {sealed} for a sensitive one
  outputs jsonb not null,
  retry_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (run_id, step, task),
  foreign key (run_id, step) references run_steps (run_id, step) on delete cascade
);
create index run_tasks_by_retry on run_tasks (retry_at) where retry_at is not null;

-- Fences are never given out twice, by no replica.
create sequence attempt_fences as bigint;

-- One try of one task. waiting: no runner has it; leased: a runner holds it until lease_expires_at.
create table attempts (
  id uuid primary key,
  run_id uuid not null,
  step text not null,
  task text not null,
  number integer not null check (number > 0),
  status text not null check (status in
    ('waiting', 'leased', 'success', 'failure', 'timed_out', 'canceled', 'lost')),
  -- Of its run
  scope text collate "C" not null,
  requirement jsonb not null,
  lane text collate "C" not null generated always as (scope || ' ' || requirement::text) stored,
  fence bigint,
  runner_id uuid references runners (id),
  lease_expires_at timestamptz,
  cancel_requested_at timestamptz,
  cancel_reason text,
  exit_code integer,
  reason text,
  created_at timestamptz not null,
  leased_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (run_id, step, task) references run_tasks (run_id, step, task) on delete cascade,
  constraint attempts_taken unique (run_id, step, task, number),
  constraint attempts_fence_taken unique (fence),
  constraint attempts_leased_have_runner check (status <> 'leased' or
    (runner_id is not null and fence is not null and lease_expires_at is not null)),
  constraint attempts_finished_when_over check ((status in ('waiting', 'leased')) = (finished_at is null))
);
-- The queue of tasks that wait for a runner, those of the oldest run first within a lane.
create index attempts_waiting on attempts (lane, run_id, id) where status = 'waiting';
create index attempts_by_lease on attempts (lease_expires_at) where status = 'leased';
create index attempts_by_runner on attempts (runner_id) where status = 'leased';

-- A run is one row from the moment at which it is queued. Its steps, tasks and attempts get rows when it begins.
create table runs (
  id uuid primary key,

  -- What runs, as it was when the run was queued
  team_path text collate "C" not null,
  pipeline_id uuid not null references pipelines (id),
  pipeline_version_id uuid not null references pipeline_versions (id),
  pipeline_identifier text collate "C" not null,
  pipeline_name text not null,
  pipeline_version integer not null,
  scope text collate "C" not null,
  variables jsonb not null,
  -- Variables whose values must not be seen, sealed, by name
  sealed_variables jsonb not null default '{}' check (jsonb_typeof(sealed_variables) = 'object'),
  -- Its code comes from somebody who may not change the repository: it gets no secrets, and neither do its reruns
  untrusted boolean not null default false,

  -- Where it runs
  -- What a runner must have, from the profile: {"executor": "host", "labels": []}
  requirement jsonb not null,
  -- Runs of one lane can be served by the same runners; the dispatcher's queue is one of lanes
  lane text collate "C" not null generated always as (scope || ' ' || requirement::text) stored,
  -- Of the profile of the run itself
  profile_environment jsonb not null,
  image text,
  resources jsonb not null default '{}' check (jsonb_typeof(resources) = 'object'),
  -- What the profiles that its steps and tasks name ask for:
  -- {"<name in the document>": {"requirement": {...}, "environment": {...}, "image": null, "resources": {...}}}
  profiles jsonb not null default '{}' check (jsonb_typeof(profiles) = 'object'),

  -- Why it runs
  cause text not null check (cause in ('event', 'request', 'rerun', 'schedule', 'external', 'pipeline')),
  initiator_kind text not null check (initiator_kind in ('user', 'service_account', 'bootstrap', 'system')),
  initiator_id text not null,
  initiator_name text not null,
  event_id uuid,
  trigger_id uuid,
  -- Name of the entry in the repository's manifest that started it, which has no id
  manifest_trigger text,
  delivery_record_id uuid,
  -- The delivery that was replayed
  replay_of uuid,
  -- When the provider says that its cause happened
  occurred_at timestamptz,
  -- What the graph's conditions may look at: where in a block of run_event_blocks the event lies; null: there is none
  event_block_id uuid,
  event_offset integer,
  event_bytes integer,
  -- Of a run that repeats another: what of it is done again
  rerun_of uuid references runs (id),
  rerun_mode text check (rerun_mode in ('whole', 'failed', 'step')),
  rerun_step text,
  -- The attempt whose end its own end is; null: nobody's
  parent_run_id uuid references runs (id),
  parent_step text,
  parent_task text,
  parent_attempt integer check (parent_attempt > 0),
  -- How many runs are above it
  depth smallint not null default 0 check (depth between 0 and 5),

  -- What it runs on
  repository text,
  clone_url text,
  ref text,
  branch text,
  commit_sha text,
  -- Commits known to lie before commit_sha
  ancestors text[],
  pull_request bigint check (pull_request > 0),
  -- The two branches of the pull request by their bare names: what it wants to enter, and where its commits lie
  base_ref text,
  head_ref text,
  -- credential_ref of the source that may read the repository, for the checkout
  checkout_credential_ref text,

  -- How it waits
  -- Why a queued run may not be begun yet. fork_approval: a member has to approve it; group: it waits for its turn
  withheld text check (withheld in ('fork_approval', 'group')),
  -- Of runs of one team with this text, what a new one means for those that have not finished
  concurrency_group text collate "C",
  on_conflict text check (on_conflict in ('cancel_running', 'queue', 'skip')),
  -- Among the runs of its team in its lane the higher is started first
  priority smallint not null default 0 check (priority between -100 and 100),
  -- How long it may wait for a runner; what it waits for before it may begin at all does not count
  queue_timeout_ms bigint check (queue_timeout_ms > 0),
  queue_deadline_at timestamptz,

  -- Where it stands
  status text not null check (status in
    ('queued', 'running', 'paused', 'success', 'failure', 'warning', 'timed_out', 'canceled')),
  -- One sentence for every status that needs one
  reason text,
  -- What else became of it when it was queued, in one sentence
  note text,
  -- Raised by each transition; whoever computed from an older one starts again
  revision bigint not null default 0,
  cancel_requested_at timestamptz,
  cancel_reason text,
  -- Set once the run is being ended before its time: {"status": "canceled", "reason": "..."}
  ending jsonb,
  -- Crashes of runners under it
  lost_attempts integer not null default 0 check (lost_attempts >= 0),
  final_output_status text not null default 'none' check (final_output_status in ('none', 'pending', 'ready', 'failed')),
  -- What is wrong with the final outputs, where some could not be made
  final_output_reason text,
  queued_at timestamptz not null,
  started_at timestamptz,
  -- While it is paused its time limit stands still
  paused_at timestamptz,
  -- When the run's own timeout ends it; null while queued or without a timeout
  deadline_at timestamptz,
  finished_at timestamptz,

  constraint runs_children_have_cause check ((cause = 'pipeline') = (parent_run_id is not null)),
  constraint runs_children_have_depth check ((depth > 0) = (parent_run_id is not null)),
  constraint runs_deadline_of_queue check (queue_deadline_at is null or queue_timeout_ms is not null),
  constraint runs_finished_when_terminal check (
    (status in ('success', 'failure', 'warning', 'timed_out', 'canceled')) = (finished_at is not null)),
  constraint runs_group_is_whole check ((concurrency_group is null) = (on_conflict is null)),
  constraint runs_held_is_of_pull_request check (withheld <> 'fork_approval' or pull_request is not null),
  constraint runs_outputs_after_end check (final_output_status = 'none' or finished_at is not null),
  constraint runs_outputs_failed_for_reason check (
    (final_output_status = 'failed') = (final_output_reason is not null)),
  constraint runs_parent_is_whole check (
    num_nulls(parent_run_id, parent_step, parent_task, parent_attempt) in (0, 4)),
  constraint runs_paused_since check ((status = 'paused') = (paused_at is not null)),
  constraint runs_refs_of_pull_request check (pull_request is not null or (base_ref is null and head_ref is null)),
  constraint runs_rerun_from_step check ((rerun_step is not null) = (rerun_mode is not distinct from 'step')),
  constraint runs_rerun_is_whole check ((rerun_of is null) = (rerun_mode is null))
);

-- The dispatcher's queue. Teams take turns in a lane; a priority ranks among the runs of its own team, then the oldest.
create index runs_queued on runs (lane, team_path, priority desc, id) where status = 'queued' and withheld is null;
-- Whose turn it is: the team that began last comes last. The last starts of a lane are found by it, too.
create index runs_by_lane_and_start on runs (lane, team_path, started_at desc) where started_at is not null;
create index runs_by_queue_deadline on runs (queue_deadline_at)
  where status = 'queued' and withheld is null and queue_deadline_at is not null;
-- With runs_queued: everything that is queued, for lists and counts.
create index runs_withheld on runs (id) where status = 'queued' and withheld is not null;
create index runs_in_flight on runs (id) where status in ('running', 'paused');
create index runs_by_deadline on runs (deadline_at) where status = 'running' and deadline_at is not null;
create index runs_to_cancel on runs (id) where cancel_requested_at is not null and finished_at is null;
create index runs_with_outputs_pending on runs (id) where final_output_status = 'pending';
-- An attempt has one child, whoever starts it again.
create unique index runs_child_taken on runs (parent_run_id, parent_step, parent_task, parent_attempt)
  where parent_run_id is not null;

-- What a new run means for others: those of its group and of its pull request.
create index runs_in_group on runs (team_path, concurrency_group, id)
  where concurrency_group is not null and finished_at is null;
create index runs_waiting_in_group on runs (team_path, concurrency_group, id)
  where withheld = 'group' and finished_at is null;
-- Whose turn it is in a group, however many wait behind it.
create index runs_with_turn_in_group on runs (team_path, concurrency_group)
  where concurrency_group is not null and finished_at is null and withheld is null;
-- Few of all that wait for their turn can wait in a circle: those that tasks wanted.
create index runs_of_tasks_in_group on runs (id)
  where withheld = 'group' and parent_run_id is not null and finished_at is null;
create index runs_of_pull_request on runs (repository, pull_request)
  where pull_request is not null and finished_at is null;

-- Lists, newest first.
create index runs_by_team on runs (team_path, id desc);
create index runs_by_pipeline on runs (pipeline_id, id desc);
create index runs_by_branch on runs (branch, id desc) where branch is not null;
create index runs_by_team_and_branch on runs (team_path, branch, id desc) where branch is not null;
-- By a status that is rare among many runs. Runs that end well are not in these, so that they cost nothing.
create index runs_by_ending on runs (status, id desc) where status in ('failure', 'warning', 'timed_out', 'canceled');
create index runs_by_team_and_ending on runs (team_path, status, id desc)
  where status in ('failure', 'warning', 'timed_out', 'canceled');
-- Each of these is selective, so a team that sees only some of the runs needs no index of its own for it. Of a commit the
-- first characters are enough: in the order of "C" those are a range.
create index runs_by_commit on runs (commit_sha collate "C", id desc) where commit_sha is not null;
create index runs_by_scope on runs (scope, id desc);
create index runs_by_repository on runs (repository, id desc) where repository is not null;

-- Dispatchers end the task of a run's parent, whoever ended the run.
create function notify_child_over() returns trigger language plpgsql as $$
begin
  perform pg_notify('runs_child_over', new.parent_run_id::text);
  return null;
end $$;
create trigger runs_child_over after update of finished_at, final_output_status on runs for each row
  when (new.parent_run_id is not null and new.finished_at is not null and new.final_output_status <> 'pending')
  execute function notify_child_over();

-- The events of runs that were queued together, in wire shape: JSON texts one behind the other, compressed by zstd as a
-- whole. As jsonb in its row an event of 6 KB was three quarters of the cost of queueing a run.
create table run_event_blocks (
  id uuid primary key,
  events_zstd bytea not null
);
alter table run_event_blocks alter column events_zstd set storage external;

-- What a member decided about a run that waited for it. name: fork
create table run_approvals (
  run_id uuid not null references runs (id) on delete cascade,
  name text not null,
  decision text not null check (decision in ('approve', 'reject')),
  subject_kind text not null check (subject_kind in ('user', 'service_account', 'bootstrap', 'system')),
  subject_id text not null,
  subject_name text not null,
  comment text,
  -- Of the run, when it was decided
  commit_sha text,
  decided_at timestamptz not null,
  primary key (run_id, name)
);

-- The revisions of blocking knowledge that held when a run began (no step), when a step began, and when a task did.
create table run_pins (
  run_id uuid not null references runs (id) on delete cascade,
  step text,
  task text,
  revision_id uuid not null,
  pinned_at timestamptz not null,
  constraint run_pins_once unique nulls not distinct (run_id, step, task, revision_id),
  constraint run_pins_task_in_step check (task is null or step is not null)
);

-- What was made of a run once it was over; never in lists, never in logs.
create table run_final_outputs (
  run_id uuid not null references runs (id) on delete cascade,
  name text not null,
  format text not null check (format in ('markdown', 'json', 'text')),
  content text not null,
  position integer not null check (position >= 0),
  generated_at timestamptz not null,
  primary key (run_id, name),
  constraint run_final_outputs_in_order unique (run_id, position)
);

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
  deadline_at timestamptz,
  finished_at timestamptz,
  primary key (run_id, step)
);
create index run_steps_by_deadline on run_steps (deadline_at) where status = 'running' and deadline_at is not null;

create table run_tasks (
  run_id uuid not null,
  step text not null,
  task text not null,
  position integer not null,
  status text not null check (status in ('pending', 'ready', 'running', 'paused', 'success', 'failure',
    'failure (ignored)', 'skipped', 'canceled', 'timed_out')),
  reason text,
  -- True: what depends on it is skipped
  blocks boolean not null,
  -- Number of the latest attempt; 0: none yet
  attempt integer not null check (attempt >= 0),
  -- The run's lost_attempts when its newest attempt was asked for
  losses_before integer not null default 0 check (losses_before >= 0),
  -- Attempts that runners handed back before anything of the task had begun do not count against its retries
  handed_back integer not null default 0 check (handed_back >= 0),
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

-- One try of one task. waiting: no runner has it; leased: a runner holds it until lease_expires_at; child: it ends when its
-- run does.
create table attempts (
  id uuid primary key,
  run_id uuid not null,
  step text not null,
  task text not null,
  number integer not null check (number > 0),
  status text not null check (status in
    ('waiting', 'leased', 'child', 'success', 'failure', 'timed_out', 'canceled', 'lost')),
  -- Of its run
  scope text collate "C" not null,
  requirement jsonb not null,
  lane text collate "C" not null generated always as (scope || ' ' || requirement::text) stored,
  fence bigint,
  runner_id uuid references runners (id),
  -- The runner that handed back the attempt before: this one is not for it at once
  handed_back_by uuid references runners (id),
  -- Of a task that is a run of another pipeline: that run
  child_run_id uuid references runs (id),
  cancel_requested_at timestamptz,
  cancel_reason text,
  exit_code integer,
  reason text,
  -- What its containers were made of, by digest; null on the host, and where none was started
  images jsonb,
  -- Its runner said how it ended, behind all lines of its log: none are missing at the end
  end_reported boolean not null default false,
  created_at timestamptz not null,
  leased_at timestamptz,
  lease_expires_at timestamptz,
  started_at timestamptz,
  -- When the time limit of a task that is a run is over; the runner keeps that of all others
  deadline_at timestamptz,
  finished_at timestamptz,
  foreign key (run_id, step, task) references run_tasks (run_id, step, task) on delete cascade,
  constraint attempts_taken unique (run_id, step, task, number),
  constraint attempts_fence_taken unique (fence),
  constraint attempts_child_has_run check (status <> 'child' or child_run_id is not null),
  constraint attempts_run_or_runner check (child_run_id is null or runner_id is null),
  constraint attempts_leased_have_runner check (status <> 'leased' or
    (runner_id is not null and fence is not null and lease_expires_at is not null)),
  constraint attempts_finished_when_over check ((status in ('waiting', 'leased', 'child')) = (finished_at is null))
);
-- The queue of tasks that wait for a runner, those of the oldest run first within a lane.
create index attempts_waiting on attempts (lane, run_id, id) where status = 'waiting';
-- Attempts that wait for the one runner that has the workspace of their step.
create index attempts_pinned on attempts (id) where status = 'waiting' and requirement ? 'runner';
create index attempts_by_lease on attempts (lease_expires_at) where status = 'leased';
create index attempts_by_runner on attempts (runner_id) where status = 'leased';
create index attempts_by_deadline on attempts (deadline_at) where status = 'child' and deadline_at is not null;
create index attempts_with_child on attempts (child_run_id) where status = 'child';
create unique index attempts_child_taken on attempts (child_run_id) where child_run_id is not null;

-- Workspaces that the tasks of one step share: their runner is told when the step is over.
create table step_workspaces (
  runner_id uuid not null references runners (id),
  run_id uuid not null,
  step text not null,
  primary key (runner_id, run_id, step),
  foreign key (run_id, step) references run_steps (run_id, step) on delete cascade
);
create index step_workspaces_by_step on step_workspaces (run_id, step);

alter table runs drop constraint runs_cause_check;
alter table runs
  -- Of what waits for the same runners the higher is started first
  add column priority smallint not null default 0 check (priority between -100 and 100),
  -- How long it may wait for a runner; what it waits for before it may begin at all does not count
  add column queue_timeout_ms bigint check (queue_timeout_ms > 0),
  add column queue_deadline_at timestamptz,
  -- While it is paused its time limit stands still
  add column paused_at timestamptz,
  -- The attempt whose end its own end is; null: nobody's
  add column parent_run_id uuid references runs (id),
  add column parent_step text,
  add column parent_task text,
  add column parent_attempt integer check (parent_attempt > 0),
  -- How many runs are above it
  add column depth smallint not null default 0 check (depth between 0 and 5),
  -- Of a run that repeats another: what of it is done again
  add column rerun_mode text check (rerun_mode in ('whole', 'failed', 'step')),
  add column rerun_step text,
  -- What the profiles that its steps and tasks name ask for, as they were when it was queued:
  -- {"<name in the document>": {"requirement": {...}, "environment": {...}, "image": null, "resources": {...}}}
  add column profiles jsonb not null default '{}' check (jsonb_typeof(profiles) = 'object'),
  -- Of the profile of the run itself
  add column image text,
  add column resources jsonb not null default '{}' check (jsonb_typeof(resources) = 'object'),
  -- Variables whose values must not be seen, sealed, by name
  add column sealed_variables jsonb not null default '{}' check (jsonb_typeof(sealed_variables) = 'object'),
  -- What is wrong with the final outputs, where some could not be made
  add column final_output_reason text,
  -- Crashes of runners under it
  add column lost_attempts integer not null default 0 check (lost_attempts >= 0),
  add constraint runs_cause_check check (cause in ('event', 'request', 'rerun', 'schedule', 'external', 'pipeline')),
  add constraint runs_parent_is_whole check (
    num_nulls(parent_run_id, parent_step, parent_task, parent_attempt) in (0, 4)),
  add constraint runs_children_have_depth check ((depth > 0) = (parent_run_id is not null)),
  add constraint runs_children_have_cause check ((cause = 'pipeline') = (parent_run_id is not null)),
  add constraint runs_paused_since check ((status = 'paused') = (paused_at is not null)),
  add constraint runs_outputs_failed_for_reason check (
    (final_output_status = 'failed') = (final_output_reason is not null)),
  add constraint runs_outputs_after_end check (final_output_status = 'none' or finished_at is not null),
  add constraint runs_deadline_of_queue check (queue_deadline_at is null or queue_timeout_ms is not null),
  add constraint runs_rerun_from_step check ((rerun_step is not null) = (rerun_mode is not distinct from 'step'));

update runs set rerun_mode = 'whole' where rerun_of is not null;
alter table runs add constraint runs_rerun_is_whole check ((rerun_of is null) = (rerun_mode is null));

-- The dispatcher's queue: the highest priority first within a lane, then the oldest.
drop index runs_queued;
create index runs_queued on runs (lane, priority desc, id) where status = 'queued' and withheld is null;
-- An attempt has one child, whoever starts it again.
create unique index runs_child_taken on runs (parent_run_id, parent_step, parent_task, parent_attempt)
  where parent_run_id is not null;
create index runs_by_queue_deadline on runs (queue_deadline_at)
  where status = 'queued' and withheld is null and queue_deadline_at is not null;
-- How fast a lane moves.
create index runs_by_lane_and_start on runs (lane, started_at desc) where started_at is not null;
-- Whose final outputs are still to be made.
create index runs_with_outputs_pending on runs (id) where final_output_status = 'pending';

-- The next run's wait for a runner begins now.
create or replace function release_run_group(team text, name text) returns boolean language plpgsql as $$
declare
  next uuid;
  released text;
begin
  perform lock_run_group(team, name);
  if exists (select from runs where team_path = team and concurrency_group = name and finished_at is null
    and withheld is null) then return false; end if;
  loop
    select id into next from runs where team_path = team and concurrency_group = name and finished_at is null
      and withheld = 'group' order by id limit 1;
    if not found then return false; end if;
    -- It may have been canceled meanwhile: then it is the turn of the one behind it.
    update runs set withheld = null, queue_deadline_at = now() + queue_timeout_ms * interval '1 millisecond'
      where id = next and finished_at is null and withheld = 'group' returning lane into released;
    if found then
      perform pg_notify('runs_queued', released);
      perform pg_notify('run_changed', next::text);
      return true;
    end if;
  end loop;
end $$;

-- A run that nobody took in time. Its fact is told as facts.ts tells it. False: somebody has begun or ended it.
create function time_out_queued_run(run_id uuid, why text, at timestamptz, telling jsonb) returns boolean
language plpgsql as $$
declare
  run runs;
begin
  update runs set status = 'timed_out', reason = why, finished_at = at, revision = revision + 1
    where id = run_id and status = 'queued' and withheld is null and queue_deadline_at <= at returning * into run;
  if not found then return false; end if;
  perform tell_fact(telling, jsonb_build_object(
    'run_id', run.id, 'status', run.status, 'reason', run.reason, 'pipeline_id', run.pipeline_id,
    'pipeline', run.pipeline_identifier, 'team_path', run.team_path, 'scope', run.scope, 'cause', run.cause,
    'queued_at', to_wire_time(run.queued_at), 'started_at', null, 'finished_at', to_wire_time(at)), at);
  perform pg_notify('run_changed', run.id::text);
  if run.concurrency_group is not null then perform pg_notify('runs_group_left', ''); end if;
  return true;
end $$;

alter table run_tasks drop constraint run_tasks_status_check;
-- The run's lost_attempts when its newest attempt was asked for
alter table run_tasks add column losses_before integer not null default 0 check (losses_before >= 0);
alter table run_tasks add constraint run_tasks_status_check check (status in ('pending', 'ready', 'running', 'paused',
  'success', 'failure', 'failure (ignored)', 'skipped', 'canceled', 'timed_out'));

alter table attempts drop constraint attempts_status_check, drop constraint attempts_finished_when_over;
alter table attempts
  -- Of a task that is a run of another pipeline: that run
  add column child_run_id uuid references runs (id),
  -- When the time limit of such a task is over; the runner keeps that of all others
  add column deadline_at timestamptz,
  -- child: it ends when its run does
  add constraint attempts_status_check check (status in
    ('waiting', 'leased', 'child', 'success', 'failure', 'timed_out', 'canceled', 'lost')),
  add constraint attempts_finished_when_over check ((status in ('waiting', 'leased', 'child')) = (finished_at is null)),
  add constraint attempts_child_has_run check (status <> 'child' or child_run_id is not null),
  add constraint attempts_run_or_runner check (child_run_id is null or runner_id is null);
create unique index attempts_child_taken on attempts (child_run_id) where child_run_id is not null;
create index attempts_with_child on attempts (child_run_id) where status = 'child';
create index attempts_by_deadline on attempts (deadline_at) where status = 'child' and deadline_at is not null;

-- Dispatchers end the task of a run's parent, whoever ended the run.
create function notify_child_over() returns trigger language plpgsql as $$
begin
  perform pg_notify('runs_child_over', new.parent_run_id::text);
  return null;
end $$;
create trigger runs_child_over after update of finished_at, final_output_status on runs for each row
  when (new.parent_run_id is not null and new.finished_at is not null and new.final_output_status <> 'pending')
  execute function notify_child_over();

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

-- Runners that have files of a run, until they are told that it is over.
create table run_workspaces (
  runner_id uuid not null references runners (id),
  run_id uuid not null references runs (id) on delete cascade,
  primary key (runner_id, run_id)
);
create index run_workspaces_by_run on run_workspaces (run_id);

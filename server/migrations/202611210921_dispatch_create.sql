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
  scope text collate "C" not null,
  requirement jsonb not null,
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
-- The queue of tasks that wait for a runner, oldest first within a scope.
create index attempts_waiting on attempts (scope, id) where status = 'waiting';
create index attempts_by_lease on attempts (lease_expires_at) where status = 'leased';
create index attempts_by_runner on attempts (runner_id) where status = 'leased';

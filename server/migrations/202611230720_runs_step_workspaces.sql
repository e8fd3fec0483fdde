-- A workspace is of one attempt, or of the tasks of one step: runners are told of the latter when the step is over.

drop table run_workspaces;

create table step_workspaces (
  runner_id uuid not null references runners (id),
  run_id uuid not null,
  step text not null,
  primary key (runner_id, run_id, step),
  foreign key (run_id, step) references run_steps (run_id, step) on delete cascade
);
create index step_workspaces_by_step on step_workspaces (run_id, step);

-- Attempts that wait for the one runner that has the workspace of their step.
create index attempts_pinned on attempts (id) where status = 'waiting' and requirement ? 'runner';

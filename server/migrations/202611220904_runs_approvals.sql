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

-- What a run waits for that people decide: one request for each approval step that a run has reached, and who decided what.
create table approval_requests (
  id uuid primary key,
  run_id uuid not null references runs (id) on delete cascade,
  step text not null,
  -- Copied from the run, so that lists and facts ask this table alone.
  team_path text collate "C" not null,
  pipeline_identifier text collate "C" not null,
  scope text collate "C" not null,
  initiator_kind text not null,
  initiator_id text not null,
  initiator_name text not null,
  repository text,
  -- What is approved: this commit, by this document.
  commit_sha text,
  pipeline_version_id uuid not null references pipeline_versions (id),
  approvers text[] not null check (cardinality(approvers) > 0),
  required integer not null check (required > 0),
  allow_self boolean not null,
  message text,
  fields jsonb not null,
  status text not null check (status in ('waiting', 'approved', 'rejected', 'timed_out', 'withdrawn')),
  requested_at timestamptz not null,
  deadline_at timestamptz not null,
  remind_at timestamptz,
  reminded_at timestamptz,
  decided_at timestamptz,
  -- Set in the transaction that moves the run.
  applied_at timestamptz,
  constraint approval_requests_once unique (run_id, step),
  constraint approval_requests_decided_when_over check ((status = 'waiting') = (decided_at is null)),
  constraint approval_requests_applied_after_decision check (applied_at is null or decided_at is not null)
);
-- What a dispatcher has yet to apply.
create index approval_requests_to_apply on approval_requests (decided_at)
  where applied_at is null and status in ('approved', 'rejected', 'timed_out');

-- Whom a request that waits asks, once for each path from its team up to '/': what waits for somebody is found by what
-- they are called and by the paths at which they see runs or have a role, as exact keys, newest first. Rows are there
-- while the request waits.
create table approval_approvers (
  approver text collate "C" not null,
  team_path text collate "C" not null,
  request_id uuid not null references approval_requests (id) on delete cascade,
  primary key (approver, team_path, request_id)
);
create index approval_approvers_by_request on approval_approvers (request_id);

-- What each approver decided. One person, one vote.
create table approval_decisions (
  request_id uuid not null references approval_requests (id) on delete cascade,
  subject_kind text not null check (subject_kind in ('user', 'service_account', 'bootstrap', 'system')),
  subject_id text not null,
  subject_name text not null,
  decision text not null check (decision in ('approve', 'reject')),
  comment text,
  fields jsonb not null,
  commit_sha text,
  -- Why the vote does not count any more: whoever gave it was disabled since, or is not among the approvers
  lapsed text,
  decided_at timestamptz not null,
  primary key (request_id, subject_kind, subject_id)
);

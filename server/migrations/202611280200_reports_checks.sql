-- What the provider of a run was told of it, by a status or by a check of its commit.
create table run_reports (
  run_id uuid not null,
  kind text not null check (kind in ('status', 'check')),
  source_id uuid not null,
  -- In lower case
  repository text collate "C" not null,
  commit_sha text collate "C" not null,
  context text collate "C" not null,
  -- The provider's id of the check run; null: none is known
  check_id text,
  -- A check run may be there whose id was never stored: the call that made it may have been cut
  creating boolean not null default false,
  -- State and sentence that the provider took last
  state text,
  told text,
  told_at timestamptz,
  given_up_reason text,
  given_up_at timestamptz,
  -- Annotations that the provider took for sure; more may be there while a call is under way
  annotated integer not null default 0,
  annotating boolean not null default false,
  primary key (run_id, kind)
);
-- Which run's check is the newest of a commit, and the clean-up of a source that is gone.
create index run_reports_of_commit on run_reports (source_id, repository, commit_sha, context, run_id);

-- The comment of a pull request, of which there is one for each source.
create table sticky_comments (
  source_id uuid not null,
  -- In lower case
  repository text collate "C" not null,
  number integer not null,
  -- Stands hidden in the comment. Nobody knows it before the comment is there, so no other comment can have it.
  marker uuid not null,
  -- The provider's id; null: no comment is known
  comment_id text,
  -- A comment may be there whose id was never stored
  creating boolean not null default false,
  -- Somebody deleted the comment, and it was made once more
  recreated_at timestamptz,
  -- Digest of the body that the provider took last; null: none, or nobody knows whether it took one
  told text,
  told_at timestamptz,
  -- Until then somebody is writing it
  held_until timestamptz,
  -- Rules that started nothing for the newest event, and why
  notes jsonb not null default '[]',
  -- Answers to comments that a reaction does not give
  answers jsonb not null default '[]',
  given_up_reason text,
  given_up_at timestamptz,
  primary key (source_id, repository, number)
);
create index sticky_comments_by_age on sticky_comments (told_at);

-- The runs that the comment of a pull request shows.
create table commented_runs (
  run_id uuid primary key,
  source_id uuid not null,
  -- In lower case
  repository text collate "C" not null,
  number integer not null
);
create index commented_runs_of_comment on commented_runs (source_id, repository, number, run_id);

-- Deliveries by which somebody asked at the provider to run checks again: each counts once.
create table asked_reruns (
  delivery_record_id uuid not null,
  run_id uuid not null,
  rerun_id uuid,
  asked_at timestamptz not null,
  primary key (delivery_record_id, run_id)
);

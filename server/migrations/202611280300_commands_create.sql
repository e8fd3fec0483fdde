-- Whether comments of pull requests may hold commands: off unless somebody says so.
alter table webhook_sources add column comment_commands boolean not null default false;

-- One row for each comment with a command, kept as long as records of deliveries. The comment's words are not kept: what
-- counts is what the provider shows when the command is carried out.
create table comment_commands (
  id uuid primary key,
  source_id uuid not null,
  -- The provider's id of the repository, else its name in lower case: a renamed repository has its comments once.
  repository_key text not null,
  repository text not null,
  pull_request bigint not null check (pull_request > 0),
  comment_id text not null,
  delivery_record_id uuid not null,
  event_id uuid not null,
  -- The event without the comment's words.
  event json not null,
  body_sha256 bytea not null,
  author_id text,
  author_login text,
  state text not null check (state in ('waiting', 'done', 'refused', 'failed')),
  -- The line as the provider shows it; null until it was read.
  command text,
  verb text check (verb in ('run', 'rerun', 'cancel', 'approve', 'ok-to-test', 'why', 'help')),
  outcome text check (outcome in ('started', 'rerun', 'canceled', 'approved', 'answered', 'ignored', 'switched_off',
    'expired', 'edited', 'deleted', 'bot', 'malformed', 'not_linked', 'not_permitted', 'head_moved', 'nothing_to_do',
    'not_possible', 'provider_failed')),
  -- One sentence.
  reason text,
  -- As whom it was carried out.
  subject_kind text,
  subject_id text,
  subject_name text,
  run_ids uuid[] not null default '{}',
  received_at timestamptz not null,
  decided_at timestamptz,
  -- When the provider took the answer; null: it is still to be told.
  told_at timestamptz,
  constraint comment_commands_decided check ((state = 'waiting') = (decided_at is null))
);

-- A comment counts once, however often and by however many webhooks it is delivered.
create unique index comment_commands_comment on comment_commands (source_id, repository_key, comment_id);
-- The list of a source.
create index comment_commands_of_source on comment_commands (source_id, id desc);
create index comment_commands_by_age on comment_commands (received_at);
-- What a sweep takes up where its job was lost.
create index comment_commands_untold on comment_commands (received_at) where told_at is null;

-- Commands that one person, or everybody through one source, sent in a window of time. Rows go when their window is over.
create table comment_command_counts (
  source_id uuid not null,
  -- The empty text: everybody's.
  counted text not null,
  window_start timestamptz not null,
  admitted integer not null,
  refused integer not null default 0,
  primary key (source_id, counted, window_start)
);

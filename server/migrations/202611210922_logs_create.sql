-- Consecutive lines of one attempt, numbered from 0, as the runner sent them: already masked, compressed by zstd.
create table log_chunks (
  attempt_id uuid not null references attempts (id) on delete cascade,
  first_line bigint not null check (first_line >= 0),
  line_count integer not null check (line_count > 0),
  lines_zstd bytea not null,
  stored_at timestamptz not null default now(),
  primary key (attempt_id, first_line)
);
-- The bytes are compressed already.
alter table log_chunks alter column lines_zstd set storage external;

-- Consecutive lines of one attempt, numbered from 0, as the runner sent them: already masked, compressed by zstd. Small rows
-- as lines arrive; rows of some MiB once they were packed. Without bytes: lines that are missing, and why.
create table log_chunks (
  attempt_id uuid not null references attempts (id) on delete cascade,
  first_line bigint not null check (first_line >= 0),
  line_count integer not null check (line_count > 0),
  lines_zstd bytea,
  missing text check (missing in ('lost', 'limit', 'dropped', 'scrubbed')),
  raw_bytes integer check (raw_bytes >= 0),
  first_at timestamptz,
  last_at timestamptz,
  -- Which triples of bytes its texts hold, as bits; a search passes over rows that cannot hold what it looks for
  trigrams bytea,
  stored_at timestamptz not null default now(),
  primary key (attempt_id, first_line),
  constraint log_chunks_lines_or_missing check ((lines_zstd is null) = (missing is not null))
);
-- The bytes are compressed already.
alter table log_chunks alter column lines_zstd set storage external;
-- Many small rows are replaced by few large ones: what they held is to be free soon, not at a fifth of the table.
alter table log_chunks set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

-- How far the log of an attempt has come. Lines are appended by whoever moves next_line on, and by nobody else.
create table log_heads (
  attempt_id uuid primary key references attempts (id) on delete cascade,
  next_line bigint not null default 0 check (next_line >= 0),
  stored_bytes bigint not null default 0,
  -- Lines below are in rows that are large enough
  packed_line bigint not null default 0 check (packed_line <= next_line),
  -- Bytes in rows above packed_line
  loose_bytes bigint not null default 0,
  is_packed boolean not null default true,
  appended_at timestamptz not null default now(),
  dropped_at timestamptz,
  -- Set when the values of a scrub are forgotten: of a line that comes later nobody could tell whether it holds one, and it
  -- is not kept
  closed_at timestamptz
) with (fillfactor = 70);
-- What is to be packed.
create index log_heads_loose on log_heads (appended_at) where not is_packed;
-- What is too old.
create index log_heads_kept on log_heads (appended_at) where dropped_at is null;

-- Values that stored lines of a run must no longer show. They are sealed, and gone once nothing of the run can hold them.
create table log_scrubs (
  id uuid primary key,
  run_id uuid not null references runs (id) on delete cascade,
  sealed_values bytea,
  changed_lines bigint not null default 0,
  requested_at timestamptz not null,
  rewritten_at timestamptz,
  constraint log_scrubs_sealed_until_done check (sealed_values is not null or rewritten_at is not null)
);
create index log_scrubs_open on log_scrubs (run_id) where rewritten_at is null;
create index log_scrubs_run on log_scrubs (run_id, id);

-- Small rows as lines arrive; rows of some MiB once they were packed. Without bytes: lines that are missing, and why.
alter table log_chunks alter column lines_zstd drop not null;
alter table log_chunks
  add column missing text check (missing in ('lost', 'limit', 'dropped')),
  add column raw_bytes integer check (raw_bytes >= 0),
  add column first_at timestamptz,
  add column last_at timestamptz,
  -- Which triples of bytes its texts hold, as bits; so that a search passes over rows that cannot hold what it looks for.
  add column trigrams bytea,
  add constraint log_chunks_lines_or_missing check ((lines_zstd is null) = (missing is not null));
-- Many small rows are replaced by few large ones: what they held is to be free soon, not at a fifth of the table.
alter table log_chunks set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

-- How far the log of an attempt has come. Lines are appended by whoever moves next_line on, and by nobody else.
create table log_heads (
  attempt_id uuid primary key references attempts (id) on delete cascade,
  next_line bigint not null default 0 check (next_line >= 0),
  stored_bytes bigint not null default 0,
  -- Lines below are in rows that are large enough.
  packed_line bigint not null default 0 check (packed_line <= next_line),
  -- Bytes in rows above packed_line.
  loose_bytes bigint not null default 0,
  is_packed boolean not null default true,
  appended_at timestamptz not null default now(),
  dropped_at timestamptz
) with (fillfactor = 70);
insert into log_heads (attempt_id, next_line, stored_bytes, loose_bytes, is_packed, appended_at)
  select attempt_id, max(first_line + line_count), sum(length(lines_zstd)), sum(length(lines_zstd)), false, max(stored_at)
  from log_chunks group by attempt_id;
-- What is to be packed.
create index log_heads_loose on log_heads (appended_at) where not is_packed;
-- What is too old.
create index log_heads_kept on log_heads (appended_at) where dropped_at is null;

-- Values that stored lines of a run must no longer show. They are sealed, and gone once nothing of the run can hold them.
create table log_scrubs (
  id uuid primary key,
  run_id uuid not null references runs (id) on delete cascade,
  sealed_values bytea,
  requested_at timestamptz not null,
  rewritten_at timestamptz,
  changed_lines bigint not null default 0,
  constraint log_scrubs_sealed_until_done check (sealed_values is not null or rewritten_at is not null)
);
create index log_scrubs_open on log_scrubs (run_id) where rewritten_at is null;
create index log_scrubs_run on log_scrubs (run_id, id);

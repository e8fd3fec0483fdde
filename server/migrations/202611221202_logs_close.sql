-- Set when the values of a scrub are forgotten: of what comes later nobody could tell whether it holds one, and it is not
-- kept.
alter table log_heads add column closed_at timestamptz;
alter table log_chunks drop constraint log_chunks_missing_check;
alter table log_chunks add constraint log_chunks_missing_check check (missing in ('lost', 'limit', 'dropped', 'scrubbed'));

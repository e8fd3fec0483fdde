alter table recovery_heads
  -- The newest delivered push, and the newest delivered change of a pull request: what was never sent is not made
  add column pushed_at timestamptz,
  add column pulled_at timestamptz,
  -- Its next turn; null: in the next round
  add column next_at timestamptz;
create index recovery_heads_by_heard on recovery_heads (heard_at);
drop index recovery_heads_by_turn;
-- All events that are kept are read once more, to learn of which kind they are
delete from recovery_heard;

-- Whether a head was made an event of a short time ago
create index recoveries_made on recoveries (source_id, repository, ref, head_sha, recovered_at) where kind = 'made';

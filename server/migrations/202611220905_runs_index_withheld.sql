-- With runs_queued: everything that is queued, for lists and counts.
create index runs_withheld on runs (id) where status = 'queued' and withheld is not null;
-- Whose turn it is in a group, however many wait behind it.
create index runs_with_turn_in_group on runs (team_path, concurrency_group)
  where concurrency_group is not null and finished_at is null and withheld is null;

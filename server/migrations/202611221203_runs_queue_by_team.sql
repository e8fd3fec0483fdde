-- Teams take turns in a lane, and a priority ranks among the runs of its own team: the queue is one of each team of each lane.
drop index runs_queued;
create index runs_queued on runs (lane, team_path, priority desc, id) where status = 'queued' and withheld is null;

-- Whose turn it is: who began last comes last. The last starts of a lane are found by it, too.
drop index runs_by_lane_and_start;
create index runs_by_lane_and_start on runs (lane, team_path, started_at desc) where started_at is not null;

-- Few of all that wait for their turn can wait in a circle: those that tasks wanted.
create index runs_of_tasks_in_group on runs (id)
  where withheld = 'group' and parent_run_id is not null and finished_at is null;

-- Runs that a schedule or an external trigger started, and the team that hears of them.
alter table runs
  add column schedule_id uuid,
  add column external_trigger_id uuid,
  -- The instant that the schedule's expression names: what the run is for, whenever it begins
  add column scheduled_at timestamptz,
  -- Whose notifications tell of it; null: those of its own team
  add column run_team_path text collate "C",
  add constraint runs_scheduled_have_schedule check (scheduled_at is null or schedule_id is not null);

-- The recent runs of a schedule. Runs of other causes are not in these, so that they cost nothing.
create index runs_by_schedule on runs (schedule_id, id desc) where schedule_id is not null;
-- Whether an earlier run of a schedule still goes on, asked at each fire.
create index runs_unfinished_of_schedule on runs (schedule_id, id)
  where schedule_id is not null and finished_at is null;
create index runs_by_external_trigger on runs (external_trigger_id, id desc) where external_trigger_id is not null;

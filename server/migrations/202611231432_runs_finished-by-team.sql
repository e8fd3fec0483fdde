-- What became of the runs of a team lately, from the index alone. A run that has not ended has no entry, so queueing one costs
-- nothing more.
create index runs_finished on runs (team_path, finished_at desc) include (status, pipeline_id) where finished_at is not null;

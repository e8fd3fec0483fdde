-- The newest run of a pipeline that has ended: behind any number of queued ones.
create index runs_ended_by_pipeline on runs (pipeline_id, id desc) where finished_at is not null and status <> 'canceled';

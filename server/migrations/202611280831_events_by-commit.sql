-- As of deliveries. Posted events have no source, and are found by the same indexes.
create index trigger_events_by_commit on trigger_events (source_id, commit_sha collate "C", id desc)
  where commit_sha is not null;
create index trigger_events_by_full_ref on trigger_events (source_id, lower(repository), ref, id desc)
  where ref is not null;

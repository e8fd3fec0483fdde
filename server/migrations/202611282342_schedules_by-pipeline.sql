-- Who saves a pipeline asks in which scopes it is started.
create index schedules_by_pipeline on schedules (pipeline);

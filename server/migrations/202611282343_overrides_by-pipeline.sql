-- Who saves a pipeline asks in which scopes it is started.
create index overrides_by_pipeline on overrides (pipeline);

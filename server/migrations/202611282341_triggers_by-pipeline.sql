-- Who saves a pipeline asks in which scopes it is started.
create index triggers_by_pipeline on triggers (pipeline);

-- Who saves a pipeline asks in which scopes it is started.
create index external_triggers_by_pipeline on external_triggers (pipeline);

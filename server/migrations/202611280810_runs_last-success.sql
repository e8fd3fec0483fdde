-- The newest success of a pipeline before a run, in its scope; the newest thousand are looked through for its branch.
create index runs_succeeded on runs (pipeline_id, scope, id desc) include (branch, pull_request)
  where status = 'success';

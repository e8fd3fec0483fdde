-- Filters of the list of runs. Runs that events start are the most by far, so that their cost counts.
create index runs_by_initiator on runs (initiator_id, id desc);
create index runs_by_cause on runs (cause, id desc) where cause <> 'event';
-- Also for what events started of any trigger, where that is rare.
create index runs_by_trigger on runs (trigger_id, id desc) where trigger_id is not null or cause = 'event';
create index runs_by_pull_request on runs (pull_request, id desc) where pull_request is not null;

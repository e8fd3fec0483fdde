-- What became of each event, and of a posted one who posted it and why it started what it started. The record of a delivery
-- has the trace of its events.
alter table trigger_events
  -- pending: the repository is being read, or its provider asked
  add column result text check (result in ('accepted', 'ignored', 'duplicate', 'refused', 'pending')),
  -- The rest is null for events of deliveries
  add column trace json,
  add column poster_kind text check (poster_kind in ('user', 'service_account', 'bootstrap', 'system')),
  add column poster_id text,
  add column poster_name text,
  -- Whose members see it beside the poster: the team of the first run that it started; / where it started none
  add column team_path text collate "C",
  -- Of an event that named its pipeline
  add column direct_run_id uuid;

update trigger_events as event set result = case
  when event.resolution = 'pending' then 'pending'
  else coalesce(
    (select delivery.result from deliveries as delivery where delivery.id = event.delivery_record_id
      and delivery.result in ('accepted', 'ignored', 'duplicate')),
    (select coalesce(posted.answer ->> 'status', 'accepted') from posted_events as posted where posted.event_id = event.id
      and coalesce(posted.answer ->> 'status', 'accepted') in ('accepted', 'ignored')),
    'ignored')
end;

alter table trigger_events
  alter column result set not null,
  add constraint trigger_events_pending_waits check ((result = 'pending') = (resolution is not distinct from 'pending')),
  add constraint trigger_events_poster_whole check (num_nulls(poster_kind, poster_id, poster_name, team_path, trace) in (0, 5)),
  add constraint trigger_events_one_cause check (source_id is null or poster_id is null);

-- Each index costs every delivery: kind and result are looked for within the events of a source, by time.
create index trigger_events_by_source on trigger_events (source_id, id desc);
create index trigger_events_by_repository on trigger_events (source_id, lower(repository), id desc);
create index trigger_events_by_poster on trigger_events (poster_kind, poster_id, id desc) where source_id is null;
create index trigger_events_by_team on trigger_events (team_path, id desc) where source_id is null;

-- A key stands for one request: another body with it is refused. Null for a delivery id, whose repetition may be said anew.
alter table posted_events add column body_sha256 bytea check (length(body_sha256) = 32);
update posted_events set answer = answer::jsonb || jsonb_build_object('event_id', event_id);

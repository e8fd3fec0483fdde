-- The provider-neutral trigger event: what a delivery or a normalised event meant.
create table trigger_events (
  id uuid primary key,
  -- Null for POST /v1/git/events
  delivery_record_id uuid,
  kind text not null,
  action text,
  provider text not null,
  repository text not null,
  ref text,
  commit_sha text,
  event jsonb not null,
  received_at timestamptz not null
);
create index trigger_events_by_delivery on trigger_events (delivery_record_id) where delivery_record_id is not null;
create index trigger_events_by_repository on trigger_events (repository, id desc);

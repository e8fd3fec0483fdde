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
  -- The event itself, only ever read whole. Null for a delivery: its payload says it, and so does each run that it started
  event json,
  received_at timestamptz not null
);

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
  -- The event itself: which one of the block
  block_id uuid not null,
  block_position integer not null check (block_position >= 0),
  received_at timestamptz not null
);

-- The events that were stored together: a JSON array, compressed by zstd as a whole. Row by row as json each cost
-- PostgreSQL as much as everything else of its delivery.
create table trigger_event_blocks (
  id uuid primary key,
  events_zstd bytea not null
);
alter table trigger_event_blocks alter column events_zstd set storage external;

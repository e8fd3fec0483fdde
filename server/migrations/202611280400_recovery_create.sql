-- How far the log of a provider was read, of each webhook that has one.
create table recovery_logs (
  source_id uuid not null,
  -- Whose webhook it is, in lower case; the empty text: that of an app
  repository text collate "C" not null,
  -- All attempts before it were looked at
  seen_until timestamptz,
  -- A log that was too long for one look goes on here
  walk_cursor text,
  -- The newest attempt of the look that goes on
  walk_top timestamptz,
  walked_pages integer not null default 0,
  -- The last look that ended well
  looked_at timestamptz,
  failed_at timestamptz,
  reason text,
  -- The provider asked for a pause until then
  not_before timestamptz,
  primary key (source_id, repository)
);

-- Deliveries that a provider's log has and this service had not: one row for each, whatever happens.
create table recoveries (
  id uuid primary key,
  source_id uuid not null,
  repository text collate "C" not null,
  provider_delivery_id text collate "C" not null,
  -- The provider's id of the newest attempt, by which it is sent again
  attempt_id text not null,
  event_type text not null,
  missed_at timestamptz not null,
  requested_at timestamptz,
  recovered_at timestamptz,
  delivery_record_id uuid,
  tries integer not null default 0,
  next_try_at timestamptz not null,
  given_up_reason text,
  constraint recoveries_ended check (recovered_at is null or given_up_reason is null)
);
create unique index recoveries_once on recoveries (source_id, provider_delivery_id);
create index recoveries_of_source on recoveries (source_id, id desc);
create index recoveries_open on recoveries (source_id, repository, next_try_at)
  where recovered_at is null and given_up_reason is null;
create index recoveries_by_age on recoveries (missed_at);

-- The outbox: a fact commits together with what it tells of; reactions are jobs that name it.
create table facts (
  id uuid primary key,
  kind text not null check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  version integer not null check (version > 0),
  payload jsonb not null,
  occurred_at timestamptz not null
);

-- Answers of writes that carried an Idempotency-Key; a row without a status is a write in hand.
create table idempotency_keys (
  caller_id text not null,
  route text not null,
  key text not null check (length(key) between 1 and 255),
  request_sha256 bytea not null,
  status integer,
  headers jsonb,
  body jsonb,
  created_at timestamptz not null,
  primary key (caller_id, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

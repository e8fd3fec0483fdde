-- The outbox. A fact commits together with what it tells of; its reactions are jobs that name it.
create table facts (
  id uuid primary key,
  kind text not null check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  version integer not null check (version > 0),
  payload jsonb not null,
  occurred_at timestamptz not null
);

-- Answers to writes that carried an Idempotency-Key. A row without a status is a write in hand.
create table idempotency_keys (
  caller_id text not null,
  route text not null,
  key text not null check (length(key) between 1 and 255),
  request_sha256 bytea not null,
  status integer,
  headers jsonb,
  body jsonb,
  -- A body that holds a secret; forgotten after 10 minutes
  sealed_body bytea,
  -- What the caller needed for the answer, as [permission, team path]: judged again before the answer is repeated
  held jsonb,
  created_at timestamptz not null,
  primary key (caller_id, route, key),
  constraint idempotency_keys_answered_with_held check ((status is null) = (held is null)),
  constraint idempotency_keys_sealed_or_clear check (body is null or sealed_body is null)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_sealed on idempotency_keys (created_at) where sealed_body is not null;

-- Which secret_key sealed what is stored here: for each of its versions 32 bytes that are derived from the key and say
-- nothing of it. A start with another key is refused.
create table key_checks (
  key_version bigint primary key check (key_version between 1 and 4294967295),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  created_at timestamptz not null default now()
);

-- Which folder keeps the objects of this database, where a folder does: the folder holds a file with this id. A control
-- plane that finds another folder does not start.
create table object_places (
  one boolean primary key default true check (one),
  id uuid not null,
  made_at timestamptz not null default now()
);

-- Tables that grow with what arrives are kept by day: what is too old goes as a whole file at once, and not row by row. Ids
-- are UUIDv7, so the id of a row says its day and is also the key of the table. The default partition takes what belongs to
-- no day that has a partition.

-- Everything made before the instant has a lower id.
create function lowest_id_of(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Makes the partition of one day (UTC) unless it is there. Rows of that day that came before it move in. Answers whether it
-- was made. Writers wait only for the instant in which it is attached.
create function ensure_day_partition(parent text, day date) returns boolean language plpgsql as $$
declare
  name text := parent || to_char(day, '_YYYYMMDD');
  low uuid := lowest_id_of(day::timestamp at time zone 'UTC');
  high uuid := lowest_id_of((day + 1)::timestamp at time zone 'UTC');
begin
  perform pg_advisory_xact_lock(hashtextextended('day partitions of ' || parent, 0));
  -- Not to_regclass: it would not see a partition that another transaction made while this one waited.
  if exists (select from pg_class where relname = name and relnamespace = current_schema()::regnamespace) then
    return false;
  end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', name, parent);
  -- Nothing may come in between: what arrives now waits and finds the partition.
  execute format('lock table only %I in access exclusive mode', parent || '_default');
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
    parent || '_default', low, high, name);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, low, high);
  return true;
end $$;

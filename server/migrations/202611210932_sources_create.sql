create table webhook_sources (
  id uuid primary key,
  name text collate "C" not null check (length(name) between 1 and 100),
  provider text not null check (provider in ('github', 'gitlab', 'gitea', 'forgejo', 'gogs', 'bitbucket',
    'bitbucket_datacenter', 'azure_devops', 'generic')),
  enabled boolean not null,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  visibility text not null check (visibility in ('private', 'shared')),
  auth_mode text not null check (auth_mode in ('signature', 'token', 'basic')),
  credential_ref text not null,
  -- The secret that may read the repositories for checkouts; null: they are public
  checkout_credential_ref text,
  repository_allowlist text[] not null check (cardinality(repository_allowlist) > 0),
  rate_limit_per_minute integer not null check (rate_limit_per_minute between 1 and 1000000),
  acknowledge_unmapped boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_sources_name_taken unique (name)
);
create index webhook_sources_by_team on webhook_sources (team_path);

alter table triggers add constraint triggers_source_exists
  foreign key (source_id) references webhook_sources (id) on delete set null;

-- Raised by every change of sources and of secrets: whoever verifies from memory asks whether its copy is the newest.
create table sources_revision (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into sources_revision (revision) values (0);

create function notify_sources_changed() returns trigger language plpgsql as $$
begin
  update sources_revision set revision = revision + 1;
  perform pg_notify('sources_changed', '');
  return null;
end $$;
create trigger webhook_sources_notify after insert or update or delete on webhook_sources
  for each statement execute function notify_sources_changed();
-- A rotated secret must reach the next delivery.
create trigger secrets_notify after insert or update of version or delete on secrets
  for each statement execute function notify_sources_changed();

-- Every delivery, accepted or rejected, with its verification result.
create table deliveries (
  id uuid primary key,
  -- No foreign key: it would look up and lock the source for every delivery. Who deletes a source deletes these.
  source_id uuid not null,
  -- The provider's; null where it sent none
  delivery_id text,
  received_at timestamptz not null,
  event_type text not null,
  action text,
  repository text,
  ref text,
  commit_sha text,
  sender text,
  result text not null check (result in ('accepted', 'ignored', 'duplicate', 'unprocessable', 'rejected')),
  verification text not null check (verification in ('verified', 'missing', 'mismatch', 'not_checked')),
  status_code integer not null,
  reason text not null,
  run_ids uuid[] not null,
  -- The delivery whose answer a duplicate repeats
  duplicate_of uuid,
  duration_ms real not null,
  payload_bytes integer not null,
  -- Where its headers and, behind them, its payload lie in a block of delivery_payloads; null: not kept
  payload_block_id uuid,
  payload_offset integer,
  headers_bytes integer,
  -- For each trigger considered, each condition and the first that failed; only ever read whole
  trace json not null
);
create index deliveries_by_source on deliveries (source_id, id desc);

-- What was sent, less credentials; kept for delivery_retention_days. One block holds what came to one source within one
-- group commit: compressing and storing each payload by itself would be half the cost of a delivery.
create table delivery_payloads (
  id uuid primary key,
  source_id uuid not null,
  received_at timestamptz not null,
  block_zstd bytea not null
);
alter table delivery_payloads alter column block_zstd set storage external;
create index delivery_payloads_by_source on delivery_payloads (source_id);
-- They are stored in the order of their age, so that the smallest kind of index finds the old ones.
create index delivery_payloads_by_age on delivery_payloads using brin (received_at);

-- A provider's delivery id that was dealt with, and what it was answered; a delivery that failed on our side has none.
create table delivery_keys (
  source_id uuid not null,
  delivery_id text not null,
  delivery_record_id uuid not null,
  primary key (source_id, delivery_id)
);

-- Ends the statement that stores deliveries, as the key itself does for one that starts something: a delivery that starts
-- nothing takes no key, and is a duplicate all the same where an earlier one took it.
create function refuse_repeated_deliveries(repeated boolean) returns boolean language plpgsql stable as $$
begin
  if repeated then
    raise unique_violation using message = 'a delivery came before', constraint = 'delivery_keys_pkey';
  end if;
  return true;
end $$;

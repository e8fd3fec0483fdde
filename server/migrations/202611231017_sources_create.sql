-- Addresses to which providers deliver.
create table webhook_sources (
  id uuid primary key,
  name text collate "C" not null check (length(name) between 1 and 100),
  provider text not null check (provider in ('github', 'gitlab', 'gitea', 'forgejo', 'gogs', 'bitbucket',
    'bitbucket_datacenter', 'azure_devops', 'generic')),
  -- The provider's address, without a slash at the end; null: the provider's public one
  base_url text,
  enabled boolean not null,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  visibility text not null check (visibility in ('private', 'shared')),
  auth_mode text not null check (auth_mode in ('signature', 'token', 'basic')),
  credential_ref text not null,
  -- The secret that may read the repositories for checkouts; null: they are public
  checkout_credential_ref text,
  -- Whether the service itself may fetch from the repositories: manifests and changed files
  read_repository boolean not null,
  -- Whether commits show at the provider what became of their runs
  report_status boolean not null,
  repository_allowlist text[] not null check (cardinality(repository_allowlist) > 0),
  rate_limit_per_minute integer not null check (rate_limit_per_minute between 1 and 1000000),
  acknowledge_unmapped boolean not null,
  -- Who wrote it last
  owner_kind text not null check (owner_kind in ('user', 'service_account', 'bootstrap')),
  owner_id text not null,
  owner_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_sources_name_taken unique (name),
  constraint webhook_sources_reports_with_credential check (not report_status or checkout_credential_ref is not null)
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

-- Every delivery, accepted or rejected, with its verification result. Kept by day (ensure_day_partition).
create table deliveries (
  id uuid primary key,
  -- No foreign key: it would look up and lock the source for every delivery. Who deletes a source deletes these.
  source_id uuid not null,
  -- The provider's; null where it sent none
  delivery_id text,
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
  -- Whether nothing can use its kind of event: the sender may as well stop sending it
  unusable boolean not null default false,
  run_ids uuid[] not null,
  -- The delivery whose answer a duplicate repeats
  duplicate_of uuid,
  -- The delivery that this one is a replay of
  replay_of uuid,
  -- For each trigger considered, each condition and the first that failed; only ever read whole
  trace json not null,
  payload_bytes integer not null,
  -- Where its headers and, behind them, its payload lie in a block of delivery_payloads; null: not kept
  payload_block_id uuid,
  payload_offset integer,
  headers_bytes integer,
  received_at timestamptz not null,
  duration_ms real not null
) partition by range (id);
create table deliveries_default partition of deliveries default;
create index deliveries_by_source on deliveries (source_id, id desc);
create index deliveries_by_result on deliveries (source_id, result, id desc);
create index deliveries_by_event_type on deliveries (source_id, event_type, id desc);
create index deliveries_by_repository on deliveries (source_id, lower(repository), id desc);
create index deliveries_unusable on deliveries (source_id, id desc) where unusable;

-- What was sent, less credentials; kept by day, for delivery_retention_days. One block holds what came to one source within
-- one group commit: compressing and storing each payload by itself would be half the cost of a delivery.
create table delivery_payloads (
  id uuid primary key,
  source_id uuid not null,
  received_at timestamptz not null,
  block_zstd bytea not null
) partition by range (id);
alter table delivery_payloads alter column block_zstd set storage external;
create table delivery_payloads_default partition of delivery_payloads default;
create index delivery_payloads_by_source on delivery_payloads (source_id);

-- A provider's delivery id that was dealt with, and what it was answered; a delivery that failed on our side has none. One
-- key counts over all days, so these are not kept by day; old ones are found by the record they belong to.
create table delivery_keys (
  source_id uuid not null,
  delivery_id text not null,
  delivery_record_id uuid not null,
  primary key (source_id, delivery_id)
);
create index delivery_keys_by_record on delivery_keys (delivery_record_id);

-- Ends the statement that stores deliveries, as the key itself does for one that starts something: a delivery that starts
-- nothing takes no key, and is a duplicate all the same where an earlier one took it.
create function refuse_repeated_deliveries(repeated boolean) returns boolean language plpgsql stable as $$
begin
  if repeated then
    raise unique_violation using message = 'a delivery came before', constraint = 'delivery_keys_pkey';
  end if;
  return true;
end $$;

-- The webhooks that the service made at providers: one for each repository of a source.
create table source_connections (
  source_id uuid not null references webhook_sources (id) on delete cascade,
  -- In lower case: providers tell no two repositories apart by it
  repository_key text collate "C" not null,
  -- As it was written
  repository text not null,
  -- Null: it is being made for the first time
  hook_id text,
  -- When the webhook was made or repaired last; null as hook_id
  connected_at timestamptz,
  checked_at timestamptz,
  -- What was not as it must be when the provider was asked last
  differences text[] not null,
  -- Why it cannot be kept as it must be; null: it can
  fault text,
  first_delivery_at timestamptz,
  -- Which stored secret the webhook holds; null: one that has no version, or nobody knows
  secret_id uuid,
  secret_version integer,
  -- Until then somebody calls the provider: two at a time would make two webhooks
  held_until timestamptz,
  primary key (source_id, repository_key),
  constraint source_connections_made check (num_nulls(hook_id, connected_at, checked_at) in (0, 3)),
  constraint source_connections_secret_whole check (num_nulls(secret_id, secret_version) in (0, 2))
);

-- What a provider is told of a commit: for each name of a status the run that it tells of. Reruns, other triggers and
-- repeated hooks may run one pipeline for one commit several times; the provider shows one status of a name.
create table commit_statuses (
  source_id uuid not null,
  -- In lower case
  repository text collate "C" not null,
  commit_sha text collate "C" not null,
  context text collate "C" not null,
  run_id uuid not null,
  -- State and sentence that the provider took last; null: none, or nobody knows whether it took one
  told text,
  -- Until then somebody is telling the provider: two at a time could arrive in the wrong order
  held_until timestamptz,
  primary key (source_id, repository, commit_sha, context)
);
-- For the clean-up: ids go by time.
create index commit_statuses_by_run on commit_statuses (run_id);

-- The names by which the deliveries of a source told of repositories: the same id under another name is a rename. A name
-- that two repositories had says nothing about either of them any more.
create table repository_names (
  -- Raised for each change, so that a process reads only what it does not know yet.
  revision bigint primary key,
  source_id uuid not null,
  name text collate "C" not null check (name <> ''),
  repository_id text not null check (repository_id <> ''),
  contested boolean not null default false,
  since timestamptz not null
);
create unique index repository_names_taken on repository_names (source_id, lower(name));

create table repository_names_revision (
  singleton boolean primary key default true check (singleton),
  revision bigint not null,
  -- What was deleted before is known to nobody who read later.
  complete_since bigint not null
);
insert into repository_names_revision (revision, complete_since) values (0, 0);

-- The row of the revision stays locked until the transaction ends: revisions become visible in their order.
create function number_repository_name() returns trigger language plpgsql as $$
begin
  update repository_names_revision set revision = revision + 1 returning revision into new.revision;
  perform pg_notify('repository_names_changed', '');
  return new;
end $$;

create function record_repository_names_deleted() returns trigger language plpgsql as $$
begin
  update repository_names_revision set revision = revision + 1, complete_since = revision + 1;
  perform pg_notify('repository_names_changed', '');
  return null;
end $$;

create trigger repository_names_numbered before insert or update on repository_names
  for each row execute function number_repository_name();
create trigger repository_names_deleted after delete on repository_names
  for each statement execute function record_repository_names_deleted();
create trigger repository_names_emptied after truncate on repository_names
  for each statement execute function record_repository_names_deleted();

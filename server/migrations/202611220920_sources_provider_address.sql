alter table webhook_sources
  -- The provider's address, without a slash at the end; null: the provider's public one
  add column base_url text,
  -- Whether the service itself may fetch from the repositories: manifests and changed files
  add column read_repository boolean not null default false,
  -- Whether commits show at the provider what became of their runs
  add column report_status boolean not null default false,
  -- Who wrote it last; null: not known, because it is older than this column and its audit record names nobody
  add column owner_kind text check (owner_kind in ('user', 'service_account', 'bootstrap')),
  add column owner_id text,
  add column owner_name text,
  add constraint webhook_sources_owner_whole check (num_nulls(owner_kind, owner_id, owner_name) in (0, 3)),
  add constraint webhook_sources_reports_with_credential
    check (not report_status or checkout_credential_ref is not null);

update webhook_sources as source
set owner_kind = written.actor_kind, owner_id = written.actor_id, owner_name = written.actor_name
from (
  select distinct on (resource_id) resource_id, actor_kind, actor_id, actor_name
  from audit_records
  where resource_kind = 'webhook_source' and actor_kind in ('user', 'service_account', 'bootstrap')
  order by resource_id, id desc
) as written
where written.resource_id = source.id::text;

alter table webhook_sources alter column read_repository drop default, alter column report_status drop default;

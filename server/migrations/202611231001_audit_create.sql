-- Who did what, when, from where; before and after without secrets. Never updated, never deleted.
create table audit_records (
  id uuid primary key,
  occurred_at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'service_account', 'bootstrap', 'system', 'runner')),
  actor_id text not null,
  actor_name text not null,
  -- <resource>.<verb in past tense>: webhook_source.created
  action text not null,
  resource_kind text not null,
  resource_id text not null,
  team_path text collate "C" not null,
  address text not null,
  request_id text not null,
  before jsonb,
  after jsonb
);
create index audit_records_by_resource on audit_records (resource_kind, resource_id, id desc);
create index audit_records_by_actor on audit_records (actor_id, id desc);
create index audit_records_by_team on audit_records (team_path, id desc);

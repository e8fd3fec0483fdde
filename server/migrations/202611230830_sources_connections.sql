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

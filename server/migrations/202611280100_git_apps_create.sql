-- The app at each provider that can have one; at providers without apps a connection by a stored token.
create table git_apps (
  provider text primary key check (provider in ('github', 'gitea', 'forgejo', 'gitlab')),
  -- The provider's address for people, without a slash at the end
  base_url text not null check (base_url ~ '^https?://' and base_url !~ '/$'),
  -- The id at the provider; of a connection by token the login of its account
  app_id text not null check (length(app_id) between 1 and 100),
  slug text,
  name text,
  html_url text,
  -- Who owns the app at the provider
  account text,
  -- The rights and events that the provider gave the app
  permissions jsonb not null check (jsonb_typeof(permissions) = 'object'),
  events text[] not null,
  -- The stored token of a connection; null: keys prove the app
  credential_ref text,
  -- The team of the app's source; null: there was no team yet
  team_path text collate "C" references teams (path) on update cascade on delete restrict,
  -- The source that takes the app's deliveries; null: there is none
  source_id uuid references webhook_sources (id) on delete set null,
  -- Which base address the provider was told: addresses of webhooks begin with it; null: nobody told it through us
  public_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint git_apps_source_has_team check (source_id is null or team_path is not null)
);
create index git_apps_by_source on git_apps (source_id);
create index git_apps_by_team on git_apps (team_path);

-- Live keys of apps, sealed. Two of a kind while one is rotated: the two places of a kind hold no third.
create table git_app_keys (
  id uuid primary key,
  provider text not null check (provider in ('github', 'gitea', 'forgejo', 'gitlab'))
    references git_apps (provider) on delete cascade,
  kind text not null check (kind in ('private_key', 'webhook_secret')),
  place smallint not null check (place in (1, 2)),
  sealed bytea not null,
  -- The version of secret_key that sealed it
  key_version integer not null,
  -- SHA-256 in hex: of the public key, or the first digits of the secret's
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{12,64}$'),
  created_at timestamptz not null,
  constraint git_app_keys_places unique (provider, kind, place),
  constraint git_app_keys_known unique (provider, kind, fingerprint)
);
-- For the job that seals anew.
create index git_app_keys_by_key_version on git_app_keys (key_version);

-- Ways to a provider and back that were begun. The state itself is stored nowhere.
create table git_app_flows (
  state_sha256 bytea primary key check (octet_length(state_sha256) = 32),
  flow text not null check (flow in ('register', 'install')),
  provider text not null check (provider in ('github', 'gitea', 'forgejo', 'gitlab')),
  -- Who began it
  starter_kind text not null check (starter_kind in ('user', 'service_account', 'bootstrap')),
  starter_id text not null,
  -- The session that it was begun from: only that browser may come back; null: it was begun with a token
  session_id text,
  -- What the registration asked for
  document jsonb not null,
  -- The id of the source that the registration makes: the provider is told its address first
  source_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set before the provider is asked; it then counts no more
  consumed_at timestamptz,
  constraint git_app_flows_registration_has_source check ((flow = 'register') = (source_id is not null)),
  constraint git_app_flows_sessions_of_users check (session_id is null or starter_kind = 'user')
);
-- For the job that deletes old ones.
create index git_app_flows_by_expiry on git_app_flows (expires_at);

-- Installations of apps at accounts of their providers.
create table git_installations (
  id uuid primary key,
  provider text not null check (provider in ('github', 'gitea', 'forgejo', 'gitlab'))
    references git_apps (provider) on delete cascade,
  -- The provider's
  installation_id text collate "C" not null check (length(installation_id) between 1 and 200),
  account text,
  status text not null check (status in ('unverified', 'active', 'suspended', 'removed', 'permissions_outdated')),
  -- Why the status is what it is
  reason text,
  repository_selection text check (repository_selection in ('all', 'selected')),
  permissions jsonb not null check (jsonb_typeof(permissions) = 'object'),
  html_url text,
  suspended_at timestamptz,
  -- When the provider told that it was deleted: for ever, since no provider gives an id twice
  deleted_at timestamptz,
  last_verified_at timestamptz,
  refreshed_at timestamptz,
  repository_count integer not null check (repository_count >= 0),
  -- Raised by every restriction that was told: an answer that was asked for before it is not stored
  version integer not null,
  -- The pages of the list of repositories with their ETags and the ids on them; only ever read whole
  pages jsonb not null,
  created_at timestamptz not null,
  constraint git_installations_known unique (provider, installation_id),
  constraint git_installations_suspended check ((status = 'suspended') = (suspended_at is not null)),
  constraint git_installations_deleted check (deleted_at is null or status = 'removed')
);
create index git_installations_by_provider on git_installations (provider, id desc);

-- The repositories of installations, as the provider told last.
create table git_installation_repositories (
  installation uuid not null references git_installations (id) on delete cascade,
  -- The provider's
  repository_id text collate "C" not null,
  full_name text not null,
  -- In lower case: providers tell no two repositories apart by it
  name_key text collate "C" not null check (name_key = lower(full_name)),
  private boolean not null,
  default_branch text,
  primary key (installation, repository_id)
);
-- Of every call: which installation has the repository; and for lists by name.
create index git_installation_repositories_by_name on git_installation_repositories (name_key, installation);

-- The teams whose sources may use an installation, and for which repositories.
create table git_installation_teams (
  installation uuid not null references git_installations (id) on delete cascade,
  team_path text collate "C" not null references teams (path) on update cascade on delete cascade,
  repositories text[] not null check (cardinality(repositories) > 0),
  primary key (installation, team_path)
);
create index git_installation_teams_by_team on git_installation_teams (team_path);

-- A rotated webhook secret must reach the next delivery.
create trigger git_app_keys_notify after insert or update or delete on git_app_keys
  for each statement execute function notify_sources_changed();

-- Whoever keeps tokens in memory drops them: by the provider's id of the installation, or all of the provider.
create function notify_git_apps_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('git_apps_changed', coalesce(new.provider, old.provider));
  return null;
end $$;
create trigger git_apps_tell_changes after update of base_url, app_id, credential_ref or delete on git_apps
  for each row execute function notify_git_apps_changed();
create trigger git_app_keys_tell_changes after insert or update or delete on git_app_keys
  for each row execute function notify_git_apps_changed();

create function notify_git_installation_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('git_apps_changed', old.provider || ' ' || old.installation_id);
  return null;
end $$;
create trigger git_installations_tell_changes after update of status on git_installations
  for each row when (old.status is distinct from new.status) execute function notify_git_installation_changed();
create trigger git_installations_tell_deletions after delete on git_installations
  for each row execute function notify_git_installation_changed();

create function notify_git_repositories_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('git_apps_changed', provider || ' ' || installation_id)
    from git_installations where id in (select distinct installation from gone);
  return null;
end $$;
create trigger git_installation_repositories_tell_losses after delete on git_installation_repositories
  referencing old table as gone for each statement execute function notify_git_repositories_gone();

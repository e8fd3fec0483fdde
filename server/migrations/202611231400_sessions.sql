-- Browsers that are signed in.
create table sessions (
  id uuid primary key,
  -- SHA-256 of the secret in the cookie, which is stored nowhere
  digest bytea not null check (octet_length(digest) = 32),
  user_id uuid not null references users (id) on delete cascade,
  method text not null check (method in ('password', 'openid')),
  -- Of OpenID Connect: the id of the provider
  provider text collate "C",
  user_agent text not null check (char_length(user_agent) <= 300),
  address text not null,
  created_at timestamptz not null,
  -- Written at most once a minute
  last_used_at timestamptz not null,
  -- Whatever its use
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint sessions_digest_taken unique (digest),
  constraint sessions_provider_check check ((method = 'openid') = (provider is not null)),
  constraint sessions_expires_check check (expires_at > created_at)
);
-- The list of a user, newest first
create index sessions_of_user on sessions (user_id, id) where revoked_at is null;
-- The job that drops those that are over
create index sessions_expired on sessions (expires_at);
create index sessions_revoked on sessions (revoked_at) where revoked_at is not null;

-- A new session is known to nobody, so it raises nothing; a revoked one must stop working everywhere.
create trigger sessions_raise_access_revision after update of revoked_at, expires_at or delete on sessions
  for each statement execute function raise_access_revision();

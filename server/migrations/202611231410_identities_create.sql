-- Accounts at providers of OpenID Connect, by which users sign in.
create table identities (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- As the provider spells itself. An account is issuer and subject, never an e-mail address.
  issuer text collate "C" not null check (char_length(issuer) between 1 and 500),
  subject text collate "C" not null check (subject ~ '^[\x20-\x7e]{1,255}$'),
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  constraint identities_account_taken unique (issuer, subject)
);
create index identities_of_user on identities (user_id, id);

-- Ways to a provider that a browser has come back from: none counts twice.
create table spent_sign_ins (
  -- SHA-256 of the state
  digest bytea primary key check (octet_length(digest) = 32),
  -- From then on the transaction itself is too old
  expires_at timestamptz not null
);
create index spent_sign_ins_by_end on spent_sign_ins (expires_at);

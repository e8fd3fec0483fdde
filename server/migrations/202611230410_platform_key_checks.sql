-- Which secret_key sealed what is stored here: for each of its versions 32 bytes derived from the key, which say nothing
-- of it. A start with another key is refused.
create table key_checks (
  key_version bigint primary key check (key_version between 1 and 4294967295),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  created_at timestamptz not null default now()
);

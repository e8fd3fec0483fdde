-- Who asked at a Git provider for a run that was started in the name of somebody else, such as the owner of a source.
create table run_askers (
  run_id uuid primary key references runs (id) on delete cascade,
  provider text not null,
  -- The provider's address for people
  base_url text not null,
  -- The provider's id of the account
  account_id text collate "C" not null
);

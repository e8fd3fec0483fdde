-- The one pipeline that the events of a repository start instead.
create table overrides (
  id uuid primary key,
  -- As written; compared by lower(), which changes ASCII letters alone under the collation "C"
  repo_owner text collate "C" not null check (repo_owner <> ''),
  repo_name text collate "C" not null check (repo_name <> '' and strpos(repo_name, '/') = 0),
  -- Of the pipeline: who may see and write it
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  -- From then on it is not applied; it stays until it is replaced or deleted
  expires_at timestamptz,
  reason text,
  -- On whose behalf its runs start; authorized again each time
  owner_kind text not null check (owner_kind in ('user', 'service_account', 'bootstrap')),
  owner_id text not null,
  owner_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Each team may have an override of a repository, in whichever case its name is written: none can take or hold the place of
-- another one. Which of them decides follows from the sources that vouch for it.
create unique index overrides_of_team_taken on overrides (lower(repo_owner), lower(repo_name), team_path);
-- Lists of what a team may see, and the foreign key
create index overrides_by_team on overrides (team_path, id);

-- Raised by every change of overrides: whoever looks them up in memory asks whether its copy is still the newest.
create table overrides_revision (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into overrides_revision (revision) values (0);

create function notify_overrides_changed() returns trigger language plpgsql as $$
begin
  update overrides_revision set revision = revision + 1;
  perform pg_notify('overrides_changed', '');
  return null;
end $$;
create trigger overrides_notify after insert or update or delete on overrides
  for each statement execute function notify_overrides_changed();

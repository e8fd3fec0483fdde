create table triggers (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  source_id uuid,
  -- The source it once named was deleted; a trigger without a source is not the same as one for every source
  source_lost_at timestamptz,
  repositories text[] not null check (cardinality(repositories) > 0),
  events text[] not null check (cardinality(events) > 0),
  actions text[] not null,
  branches text[] not null,
  tags text[] not null,
  paths text[] not null,
  condition text,
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  variables jsonb not null,
  enabled boolean not null,
  -- On whose behalf its runs start; authorized again each time
  owner_kind text not null check (owner_kind in ('user', 'service_account', 'bootstrap')),
  owner_id text not null,
  owner_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint triggers_name_taken unique (team_path, name)
);
create index triggers_by_source on triggers (source_id);

-- Raised by every change of triggers: whoever matches from memory asks whether its copy is still the newest.
create table triggers_revision (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into triggers_revision (revision) values (0);

create function notify_triggers_changed() returns trigger language plpgsql as $$
begin
  update triggers_revision set revision = revision + 1;
  perform pg_notify('triggers_changed', '');
  return null;
end $$;
create trigger triggers_notify after insert or update or delete on triggers
  for each statement execute function notify_triggers_changed();

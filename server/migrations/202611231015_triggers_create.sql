-- Which events of which repositories start which pipeline.
create table triggers (
  id uuid primary key,
  team_path text collate "C" not null references teams (path) on update cascade on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  -- The source that it listens to; null: every one. The room of sources adds the reference
  source_id uuid,
  -- The source it once named was deleted; a trigger without a source is not the same as one for every source
  source_lost_at timestamptz,
  repositories text[] not null check (cardinality(repositories) > 0),
  events text[] not null check (cardinality(events) > 0),
  actions text[] not null,
  branches text[] not null,
  tags text[] not null,
  paths text[] not null,
  -- Of the pull request
  labels text[] not null,
  draft text not null check (draft in ('any', 'exclude', 'only')),
  -- Comment commands, and who may give them
  commands text[] not null,
  commenters text[] not null,
  -- Whether commits that ask to be skipped start nothing
  skip_ci boolean not null,
  condition text,
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  variables jsonb not null,
  concurrency_group text,
  on_conflict text check (on_conflict in ('cancel_running', 'queue', 'skip')),
  enabled boolean not null,
  -- On whose behalf its runs start; authorized again each time
  owner_kind text not null check (owner_kind in ('user', 'service_account', 'bootstrap')),
  owner_id text not null,
  owner_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint triggers_name_taken unique (team_path, name),
  constraint triggers_group_is_whole check ((concurrency_group is null) = (on_conflict is null))
);
create index triggers_by_source on triggers (source_id);

-- Raised by every change of triggers: whoever matches from memory asks whether its copy is still the newest.
create table triggers_revision (
  one boolean primary key default true check (one),
  revision bigint not null,
  -- Changes after this revision are all recorded; a copy that is older has to be made anew
  complete_since bigint not null
);
insert into triggers_revision (revision, complete_since) values (0, 0);

-- Which triggers changed at which revision, so that whoever holds all of them in memory reads only those that changed. A
-- trigger that stands here and in its own table no more was deleted.
create table triggers_changes (
  trigger_id uuid primary key,
  revision bigint not null
);
-- One statement may change many triggers at one revision: they are read page by page.
create unique index triggers_changes_in_order on triggers_changes (revision, trigger_id);

-- Raises the revision. The row stays locked until the transaction ends, so that revisions become visible in their order
-- and none is missed by who reads all up to the newest. Changes of the last 1000 revisions are kept. Answers the revision.
create function raise_triggers_revision() returns bigint language plpgsql as $$
declare
  raised bigint;
begin
  update triggers_revision
    set revision = revision + 1, complete_since = greatest(complete_since, revision - 999)
    returning revision into raised;
  delete from triggers_changes where revision <= raised - 1000;
  perform pg_notify('triggers_changed', '');
  return raised;
end $$;

create function record_triggers_changed() returns trigger language plpgsql as $$
declare
  raised bigint;
begin
  if not exists (select from changed) then
    return null;
  end if;
  raised := raise_triggers_revision();
  insert into triggers_changes (trigger_id, revision)
    select id, raised from changed
    on conflict (trigger_id) do update set revision = excluded.revision;
  return null;
end $$;

-- All of them at once: who holds a copy makes it anew.
create function record_triggers_emptied() returns trigger language plpgsql as $$
declare
  raised bigint := raise_triggers_revision();
begin
  update triggers_revision set complete_since = raised;
  return null;
end $$;

create trigger triggers_inserted after insert on triggers
  referencing new table as changed for each statement execute function record_triggers_changed();
create trigger triggers_updated after update on triggers
  referencing new table as changed for each statement execute function record_triggers_changed();
create trigger triggers_deleted after delete on triggers
  referencing old table as changed for each statement execute function record_triggers_changed();
create trigger triggers_emptied after truncate on triggers
  for each statement execute function record_triggers_emptied();

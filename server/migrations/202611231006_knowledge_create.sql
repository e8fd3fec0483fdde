-- What is known of a place and what blocks there. The item says where it lies and which revision is the current one; all
-- else stands in its revisions.
create table knowledge_items (
  id uuid primary key,
  -- '/' is the platform
  team_path text collate "C" not null,
  team_ref text collate "C" generated always as (nullif(team_path, '/')) stored
    references teams (path) on delete restrict,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  kind text not null check (kind in ('policy', 'guardrail', 'reference')),
  revision integer not null check (revision > 0),
  revision_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint knowledge_items_name_taken unique (team_path, name)
);
-- Lists of what a team may see
create index knowledge_items_by_team on knowledge_items (team_path, id);
-- The foreign key
create index knowledge_items_by_team_ref on knowledge_items (team_ref) where team_ref is not null;

-- Every save is a revision. A run pins them by their ids, so none is ever changed, and they outlive their item.
create table knowledge_revisions (
  id uuid primary key,
  item_id uuid not null,
  revision integer not null check (revision > 0),
  -- As the item has them; kept for when it is gone
  team_path text collate "C" not null,
  name text collate "C" not null,
  kind text not null check (kind in ('policy', 'guardrail', 'reference')),
  -- Glob over <team path>/<environment>
  scope text collate "C" not null,
  rule text,
  -- Null: every place where what the rule names is known
  judged_at text check (judged_at in ('run', 'step', 'task')),
  time_zone text not null,
  message text,
  text text not null,
  saved_by text not null,
  saved_at timestamptz not null,
  constraint knowledge_revisions_taken unique (item_id, revision),
  constraint knowledge_revisions_rule_of_what_blocks
    check ((kind = 'reference') = (rule is null) and (kind = 'reference') = (message is null))
);
-- Keyset-paged lists of one item
create index knowledge_revisions_by_item on knowledge_revisions (item_id, id);

create table emergencies (
  id uuid primary key,
  -- Glob over <team path>/<environment>
  scope text collate "C" not null,
  -- The team that the pattern lies under, '/' for the platform: who may see, declare and lift it
  team_path text collate "C" not null,
  reason text not null,
  declared_kind text not null,
  declared_id text not null,
  declared_by text not null,
  declared_at timestamptz not null,
  lifted_kind text,
  lifted_id text,
  lifted_by text,
  lifted_at timestamptz,
  lift_reason text,
  constraint emergencies_lifted_by_somebody
    check ((lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lifted_kind is null)
      and (lifted_at is null) = (lifted_id is null) and (lifted_at is not null or lift_reason is null))
);
-- Lists of what a team may see; those that hold now are few among many
create index emergencies_by_team on emergencies (team_path, id);
create index emergencies_active on emergencies (id) where lifted_at is null;

-- Raised by every change of what is judged: whoever holds it in memory asks whether its copy is still the newest.
create table knowledge_revision (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into knowledge_revision (revision) values (0);

-- The row stays locked until the transaction ends, so that revisions become visible in their order.
create function notify_knowledge_changed() returns trigger language plpgsql as $$
begin
  update knowledge_revision set revision = revision + 1;
  perform pg_notify('knowledge_changed', '');
  return null;
end $$;
create trigger knowledge_items_notify after insert or update or delete or truncate on knowledge_items
  for each statement execute function notify_knowledge_changed();
create trigger emergencies_notify after insert or update or delete or truncate on emergencies
  for each statement execute function notify_knowledge_changed();

-- Dispatchers look at their lanes again: what waited because of an emergency may go on.
create function notify_emergencies_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('emergencies_changed', '');
  return null;
end $$;
create trigger emergencies_wake after insert or update on emergencies
  for each statement execute function notify_emergencies_changed();

-- A revision is what a run was judged by.
create function refuse_change_of_knowledge_revision() returns trigger language plpgsql as $$
begin
  raise exception 'revisions of knowledge are never changed';
end $$;
create trigger knowledge_revisions_fixed before update or delete on knowledge_revisions
  for each row execute function refuse_change_of_knowledge_revision();

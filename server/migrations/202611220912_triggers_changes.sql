-- Which triggers changed at which revision, so that whoever holds all of them in memory reads those that changed only. A
-- trigger that stands here and in its own table no more was deleted.
create table triggers_changes (
  trigger_id uuid primary key,
  revision bigint not null
);
create index triggers_changes_by_revision on triggers_changes (revision);

-- Changes after this revision are all recorded; a copy that is older has to be made anew.
alter table triggers_revision add column complete_since bigint not null default 0;
update triggers_revision set complete_since = revision;
alter table triggers_revision alter column complete_since drop default;

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

drop trigger triggers_notify on triggers;
drop function notify_triggers_changed();
create trigger triggers_inserted after insert on triggers
  referencing new table as changed for each statement execute function record_triggers_changed();
create trigger triggers_updated after update on triggers
  referencing new table as changed for each statement execute function record_triggers_changed();
create trigger triggers_deleted after delete on triggers
  referencing old table as changed for each statement execute function record_triggers_changed();
create trigger triggers_emptied after truncate on triggers
  for each statement execute function record_triggers_emptied();

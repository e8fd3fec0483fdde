-- The names by which the deliveries of a source told of repositories: the same id under another name is a rename. A name
-- that two repositories had says nothing about either of them any more.
create table repository_names (
  -- Raised for each change, so that a process reads only what it does not know yet.
  revision bigint primary key,
  source_id uuid not null,
  name text collate "C" not null check (name <> ''),
  repository_id text not null check (repository_id <> ''),
  contested boolean not null default false,
  since timestamptz not null
);
create unique index repository_names_taken on repository_names (source_id, lower(name));

create table repository_names_revision (
  singleton boolean primary key default true check (singleton),
  revision bigint not null,
  -- What was deleted before is known to nobody who read later.
  complete_since bigint not null
);
insert into repository_names_revision (revision, complete_since) values (0, 0);

-- The row of the revision stays locked until the transaction ends: revisions become visible in their order.
create function number_repository_name() returns trigger language plpgsql as $$
begin
  update repository_names_revision set revision = revision + 1 returning revision into new.revision;
  perform pg_notify('repository_names_changed', '');
  return new;
end $$;

create function record_repository_names_deleted() returns trigger language plpgsql as $$
begin
  update repository_names_revision set revision = revision + 1, complete_since = revision + 1;
  perform pg_notify('repository_names_changed', '');
  return null;
end $$;

create trigger repository_names_numbered before insert or update on repository_names
  for each row execute function number_repository_name();
create trigger repository_names_deleted after delete on repository_names
  for each statement execute function record_repository_names_deleted();
create trigger repository_names_emptied after truncate on repository_names
  for each statement execute function record_repository_names_deleted();

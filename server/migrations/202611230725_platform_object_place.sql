-- Which folder keeps the objects of this database, where a folder does: it holds a file with this id. A control plane
-- that finds another folder does not start.
create table object_places (
  one boolean primary key default true check (one),
  id uuid not null,
  made_at timestamptz not null default now()
);

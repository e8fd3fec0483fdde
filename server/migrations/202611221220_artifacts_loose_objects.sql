-- An object that no part names: written down before it is stored, so that a process that dies on the way leaves nothing
-- behind for good, and again when its part is gone. Due: it is to be deleted. Taken: somebody is deleting it, nobody may
-- name it any more.
create table loose_objects (
  object text collate "C" primary key,
  due_at timestamptz not null,
  taken_at timestamptz
);
create index loose_objects_by_due on loose_objects (due_at);

-- The attempt that alone announced an archive: when its archive turns out to be of no use the space is free at once. Null
-- where another has announced the same, and may be about to use it.
alter table blobs add column announced_by uuid;
-- Whoever announces a digest with a wrong size does not stand in the way of the archive that has it.
alter table blobs drop constraint blobs_once, add constraint blobs_once unique (team_path, sha256, size);

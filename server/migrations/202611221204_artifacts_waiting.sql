-- An archive counts from the moment at which it is announced: against artifacts or caches, as whoever sends it says, until
-- something refers to it (`used_at`), which is counted then.
alter table blobs
  add column purpose text not null default 'artifact' check (purpose in ('artifact', 'cache')),
  add column used_at timestamptz;
alter table blobs alter column purpose drop default;
update blobs set used_at = completed_at where completed_at is not null and (
  exists (select from artifacts where artifacts.blob_id = blobs.id)
  or exists (select from cache_entries where cache_entries.blob_id = blobs.id)
);
create index blobs_waiting on blobs (team_path, purpose) include (size) where used_at is null;

-- Each time a part is stored it is an object of its own: one that comes late replaces nothing.
alter table blob_parts add column object text collate "C";
update blob_parts set object = 'blobs/' || blob_id || '/' || number;
alter table blob_parts alter column object set not null;

-- Deliveries and events of a commit, by the first digits of its name, and of a ref of a repository. Most of what a source
-- tells has both; what has none takes no room.
create index deliveries_by_commit on deliveries (source_id, commit_sha collate "C", id desc) where commit_sha is not null;
create index deliveries_by_ref on deliveries (source_id, lower(repository), ref, id desc) where ref is not null;

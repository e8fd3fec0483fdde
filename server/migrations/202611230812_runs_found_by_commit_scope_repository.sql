-- The list of runs by commit, scope and repository. Each is selective, so a team that sees only some of the runs needs no
-- index of its own for it. Of a commit the first characters are enough: in the order of "C" those are a range.
create index runs_by_commit on runs (commit_sha collate "C", id desc) where commit_sha is not null;
create index runs_by_scope on runs (scope, id desc);
create index runs_by_repository on runs (repository, id desc) where repository is not null;

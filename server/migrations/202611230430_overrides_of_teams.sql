-- Each team may have an override of a repository: none can take or hold the place of another one. Which of them decides
-- follows from the sources that vouch for it.
drop index overrides_repository_taken;
create unique index overrides_of_team_taken on overrides (lower(repo_owner), lower(repo_name), team_path);

-- Copied from the run, so that the decisions of a team are found without the runs.
alter table run_approvals add column team_path text collate "C";
update run_approvals set team_path = (select team_path from runs where runs.id = run_approvals.run_id);
create index run_approvals_decided on run_approvals (team_path, decided_at, run_id);

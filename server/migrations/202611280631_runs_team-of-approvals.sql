-- Servers of an older version, as they run during an upgrade, store decisions without the team: it is copied from the run.
create function copy_team_of_run() returns trigger language plpgsql as $$
begin
  new.team_path := (select team_path from runs where id = new.run_id);
  return new;
end $$;
create trigger run_approvals_have_team before insert on run_approvals
  for each row when (new.team_path is null) execute function copy_team_of_run();
-- What they have stored since the column is there.
update run_approvals set team_path = (select team_path from runs where runs.id = run_approvals.run_id)
  where team_path is null;

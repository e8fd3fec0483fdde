-- What was decided, newest first, team by team.
create index approval_requests_decided on approval_requests (team_path, decided_at, id)
  where status in ('approved', 'rejected', 'timed_out');

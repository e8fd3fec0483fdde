-- How many requests of a team and the teams below it wait.
create index approval_requests_waiting on approval_requests (team_path) where status = 'waiting';

-- Lists by a status that is rare among many runs. Runs that end well are not in them, so that they cost nothing.
create index runs_by_ending on runs (status, id desc) where status in ('failure', 'warning', 'timed_out', 'canceled');
create index runs_by_team_and_ending on runs (team_path, status, id desc)
  where status in ('failure', 'warning', 'timed_out', 'canceled');

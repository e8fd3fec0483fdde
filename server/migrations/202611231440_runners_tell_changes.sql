-- Pages that are open hear which runner changed. Heartbeats write none of these columns.
create function tell_runner_changed() returns trigger language plpgsql as $$
declare
  change text := case when tg_op = 'INSERT' then 'created' when new.removed_at is null then 'changed' else 'gone' end;
begin
  perform pg_notify('runner_changed', change || ' ' || new.team_path || ' ' || new.id);
  return null;
end $$;

create trigger runners_tell_changes
  after insert or update of name, scopes, labels, offered_labels, executors, capacity, version, enabled, draining,
    leaving, connected_to, removed_at
  on runners for each row execute function tell_runner_changed();

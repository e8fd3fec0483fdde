-- Pages that are open hear which schedule changed. A statement may fire thousands: a team hears of several by one
-- notification that names none.
create function tell_schedules_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('schedule_changed',
      tg_argv[0] || ' ' || team_path || case when count(*) = 1 then ' ' || min(id::text) else '' end)
    from changed group by team_path;
  return null;
end $$;

create trigger schedules_tell_created after insert on schedules
  referencing new table as changed for each statement execute function tell_schedules_changed('created');
create trigger schedules_tell_changed after update on schedules
  referencing new table as changed for each statement execute function tell_schedules_changed('changed');
create trigger schedules_tell_gone after delete on schedules
  referencing old table as changed for each statement execute function tell_schedules_changed('gone');

-- A backfill and its instants change what its schedule shows. A fire by the clock changes the schedule itself.
create function tell_backfills_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('schedule_changed', 'changed ' || team_path
      || case when count(distinct schedules.id) = 1 then ' ' || min(schedules.id::text) else '' end)
    from changed join schedules on schedules.id = changed.schedule_id group by team_path;
  return null;
end $$;

create function tell_other_fires() returns trigger language plpgsql as $$
begin
  perform pg_notify('schedule_changed', 'changed ' || team_path
      || case when count(distinct schedules.id) = 1 then ' ' || min(schedules.id::text) else '' end)
    from changed join schedules on schedules.id = changed.schedule_id
    where changed.kind <> 'scheduled' group by team_path;
  return null;
end $$;

create trigger schedule_backfills_tell_created after insert on schedule_backfills
  referencing new table as changed for each statement execute function tell_backfills_changed();
create trigger schedule_backfills_tell_changed after update on schedule_backfills
  referencing new table as changed for each statement execute function tell_backfills_changed();
create trigger schedule_fires_tell_created after insert on schedule_fires
  referencing new table as changed for each statement execute function tell_other_fires();
create trigger schedule_fires_tell_changed after update on schedule_fires
  referencing new table as changed for each statement execute function tell_other_fires();

-- Who may read why a fire started nothing depends on the pipeline that it was to start, whatever the schedule starts today.
-- Null: nobody knows it any more, since the schedule was changed behind the fire.
alter table schedule_fires add column pipeline text collate "C";
update schedule_fires set pipeline = schedules.pipeline from schedules
  where schedules.id = schedule_fires.schedule_id and schedules.updated_at <= schedule_fires.fired_at;
-- The reason of the last fire is that of another pipeline, perhaps; its fire keeps it.
update schedules set last_reason = null where last_fire_at < updated_at;

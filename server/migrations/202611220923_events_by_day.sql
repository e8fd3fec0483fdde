select partition_by_day('trigger_events');
alter table trigger_events add constraint trigger_events_pkey primary key (id);

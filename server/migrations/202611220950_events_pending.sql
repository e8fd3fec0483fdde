-- Events that wait for their repository; few at any time.
create index trigger_events_pending on trigger_events (id) where resolution = 'pending';

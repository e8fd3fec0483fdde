-- The same text may stand for several changes: of another repository of that name, or of a ref that left a commit and came
-- back to it. Each has a number of its own.
alter table event_starts add column generation integer not null default 1 check (generation > 0);
-- Where the repository is shown, and its id there; null: the event did not say
alter table event_starts add column page text;
alter table event_starts add column repository_id text;
alter table event_starts add column made_at timestamptz;
update event_starts set made_at = same_until;
alter table event_starts alter column made_at set not null;
alter table event_starts drop constraint event_starts_pkey;
alter table event_starts add constraint event_starts_pkey primary key (happening, starter, generation);

-- Of changes of refs whose provider does not say when they happened: SHA-256 of who told of which ref, and of what happened.
alter table trigger_events add column ref_key bytea check (length(ref_key) = 32);
alter table trigger_events add column ref_change bytea check (length(ref_change) = 32);
create index trigger_events_by_ref on trigger_events (ref_key, id) where ref_key is not null;

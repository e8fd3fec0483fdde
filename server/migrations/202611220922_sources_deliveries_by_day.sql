select partition_by_day('deliveries');
alter table deliveries
  -- The delivery that this one is a replay of
  add column replay_of uuid,
  -- Whether nothing can use its kind of event: the sender may as well stop sending it
  add column unusable boolean not null default false,
  add constraint deliveries_pkey primary key (id);
update deliveries set unusable = true where result = 'unprocessable' and event_type <> 'ping';

create index deliveries_by_source on deliveries (source_id, id desc);
create index deliveries_by_result on deliveries (source_id, result, id desc);
create index deliveries_by_event_type on deliveries (source_id, event_type, id desc);
create index deliveries_by_repository on deliveries (source_id, lower(repository), id desc);
create index deliveries_unusable on deliveries (source_id, id desc) where unusable;

select partition_by_day('delivery_payloads');
alter table delivery_payloads add constraint delivery_payloads_pkey primary key (id);
create index delivery_payloads_by_source on delivery_payloads (source_id);

-- One key counts over all days, so that these cannot be kept by day; old ones are found by the record they belong to.
create index delivery_keys_by_record on delivery_keys (delivery_record_id);

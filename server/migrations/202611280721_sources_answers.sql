-- Which answer a provider's id got: a look into a log of deliveries asks for ids whose day nobody knows. What was accepted
-- took its id (delivery_keys), and has no entry here: one costs 12 µs. Nor has what nobody proved: its sender chooses ids.
create index deliveries_without_key on deliveries (source_id, delivery_id, id)
  where result <> 'accepted' and replay_of is null
    and (verification = 'verified' or (verification = 'not_checked' and status_code = 404));

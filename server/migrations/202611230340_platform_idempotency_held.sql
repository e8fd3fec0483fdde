-- Answers of which it is not known what their caller needed are forgotten.
delete from idempotency_keys;
alter table idempotency_keys
  -- What the caller needed for the answer, as [permission, team path]: judged again before the answer is repeated
  add column held jsonb,
  -- A body that holds a secret; forgotten after 10 minutes
  add column sealed_body bytea,
  add constraint idempotency_keys_answered_with_held check ((status is null) = (held is null)),
  add constraint idempotency_keys_sealed_or_clear check (body is null or sealed_body is null);
create index idempotency_keys_sealed on idempotency_keys (created_at) where sealed_body is not null;

-- Tells a fact where the transaction is one of statements that are sent at once: nobody could tell it afterwards.
-- telling: what Facts.telling answers: {"kind", "version", "job", "reactions", "maxAttempts"}.
create function tell_fact(telling jsonb, payload jsonb, at timestamptz) returns void language plpgsql as $$
declare
  fact uuid := uuidv7();
begin
  insert into facts (id, kind, version, payload, occurred_at)
  values (fact, telling ->> 'kind', (telling ->> 'version')::integer, tell_fact.payload, at);
  perform graphile_worker.add_job(
      identifier => telling ->> 'job', payload => json_build_object('factId', fact, 'reaction', reaction),
      max_attempts => (telling ->> 'maxAttempts')::integer, job_key => fact || ':' || reaction)
    from jsonb_array_elements_text(telling -> 'reactions') as reaction;
end $$;

-- Secrets that the current version of a live pipeline names: who deletes or changes a secret asks for them.
create table pipeline_secrets (
  -- <team path>/<name>, as the document names it
  secret text collate "C" not null,
  pipeline_id uuid not null references pipelines (id) on delete cascade,
  -- The directive that names it, such as secrets.NPM_TOKEN
  directive text collate "C" not null,
  primary key (secret, pipeline_id, directive)
);
create index pipeline_secrets_by_pipeline on pipeline_secrets (pipeline_id);

insert into pipeline_secrets (secret, pipeline_id, directive)
select named.value, v.pipeline_id, 'secrets.' || named.key
from pipelines p
  join pipeline_versions v on v.pipeline_id = p.id and v.version = p.version
  cross join lateral jsonb_each_text(v.graph -> 'secrets') named
where p.deleted_at is null and jsonb_typeof(v.graph -> 'secrets') = 'object'
on conflict do nothing;

insert into pipeline_secrets (secret, pipeline_id, directive)
select used.value ->> 'secret', v.pipeline_id,
  'steps.' || (step.value ->> 'name') || '.tasks.' || (task.value ->> 'template') || '.registry_credential'
    || coalesce('.' || (used.value ->> 'registry'), '')
from pipelines p
  join pipeline_versions v on v.pipeline_id = p.id and v.version = p.version
  cross join lateral jsonb_path_query(v.graph, 'lax $.steps[*]') step (value)
  cross join lateral jsonb_path_query(step.value, 'lax $.tasks[*]') task (value)
  cross join lateral jsonb_path_query(task.value, 'lax $.container.registryCredentials[*]') used (value)
where p.deleted_at is null
  and used.value ->> 'secret' is not null
  and step.value ->> 'name' is not null
  and task.value ->> 'template' is not null
on conflict do nothing;

create index webhook_sources_by_credential on webhook_sources (credential_ref);
create index webhook_sources_by_checkout_credential on webhook_sources (checkout_credential_ref)
  where checkout_credential_ref is not null;

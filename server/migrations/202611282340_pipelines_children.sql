-- Pipelines that tasks of the current version of a live pipeline start: who saves one asks from where it is reached.
create table pipeline_children (
  -- <team path>/<name>, as the document names it
  child text collate "C" not null,
  pipeline_id uuid not null references pipelines (id) on delete cascade,
  -- That of the step; null: the child runs in the scope of its parent
  scope text collate "C",
  unique nulls not distinct (child, pipeline_id, scope)
);
create index pipeline_children_by_pipeline on pipeline_children (pipeline_id);

insert into pipeline_children (child, pipeline_id, scope)
select task.value ->> 'pipeline', v.pipeline_id, step.value ->> 'scope'
from pipelines p
  join pipeline_versions v on v.pipeline_id = p.id and v.version = p.version
  cross join lateral jsonb_path_query(v.graph, 'lax $.steps[*]') step (value)
  cross join lateral jsonb_path_query(step.value, 'lax $.tasks[*]') task (value)
where p.deleted_at is null and task.value ->> 'kind' = 'pipeline' and task.value ->> 'pipeline' is not null
on conflict do nothing;

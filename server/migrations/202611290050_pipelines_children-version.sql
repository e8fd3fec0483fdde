-- The version that the rows of pipeline_children are of. A server of an older version saves without it: then they differ.
alter table pipelines add column children_version integer;

-- Such a server may have saved since the rows were made.
delete from pipeline_children;
insert into pipeline_children (child, pipeline_id, scope)
select task.value ->> 'pipeline', v.pipeline_id, step.value ->> 'scope'
from pipelines p
  join pipeline_versions v on v.pipeline_id = p.id and v.version = p.version
  cross join lateral jsonb_path_query(v.graph, 'lax $.steps[*]') step (value)
  cross join lateral jsonb_path_query(step.value, 'lax $.tasks[*]') task (value)
where p.deleted_at is null and task.value ->> 'kind' = 'pipeline' and task.value ->> 'pipeline' is not null
on conflict do nothing;
update pipelines set children_version = version where deleted_at is null;

-- Who saves a pipeline reads the graphs of these.
create index pipelines_children_stale on pipelines (id) where deleted_at is null and children_version is distinct from version;

import type { HouseUnderTest } from '../house-under-test.ts'

/** Queued runs of a pipeline that ask for a label which no runner has, straight into the tables. */
export async function storeQueued(subject: HouseUnderTest, pipeline: string, runs: number): Promise<void> {
  if (runs <= 0) return
  await subject.query(INSERT, [runs, pipeline])
  // Autovacuum would do this later.
  await subject.query('analyze runs')
}

const INSERT = `
  insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
    pipeline_version, scope, requirement, profile_environment, status, cause, initiator_kind, initiator_id,
    initiator_name, variables, queued_at)
  select gen_random_uuid(), pipelines.team_path, pipelines.id, pipeline_versions.id, pipelines.identifier,
    pipelines.name, pipelines.version, pipelines.team_path || '/test', '{"executor": "host", "labels": ["rare"]}', '{}',
    'queued', 'request', 'bootstrap', 'bootstrap', 'bootstrap', '{}', now()
  from generate_series(1, $1::int), pipelines
  join pipeline_versions on pipeline_versions.pipeline_id = pipelines.id and pipeline_versions.version = pipelines.version
  where pipelines.identifier = $2`

import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import { PIPELINE, type PipelineColumns } from './pipelines.ts'

/** One version as a run needs it; `profile` is as the document names it. */
export interface RunnableVersion {
  readonly pipelineId: string
  readonly versionId: string
  readonly version: number
  readonly identifier: string
  readonly name: string
  readonly teamPath: string
  readonly profileId: string | null
  readonly profile: string | null
  readonly variables: unknown
  readonly secrets: unknown
  readonly finalOutputs: unknown
  readonly timeoutMs: number | null
  /** Those that steps and tasks of the current version name: name in the document to id. */
  readonly profiles: unknown
  readonly deleted: boolean
}

/** The current version of a live pipeline. */
export async function findRunnable(db: Queryable, identifier: string): Promise<RunnableVersion | undefined> {
  const row = await runnable(db)
    .whereRef('v.version', '=', 'pipelines.version')
    .where('pipelines.identifier', '=', identifier)
    .where('pipelines.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && toRunnable(row)
}

/** Any version, also of a pipeline that was deleted. */
export async function findRunnableVersion(db: Queryable, versionId: string): Promise<RunnableVersion | undefined> {
  const row = await runnable(db).where('v.id', '=', versionId).executeTakeFirst()
  return row && toRunnable(row)
}

/** The graph as JSON, of whatever format it was written in; undefined: there is no such version. */
export async function findGraph(db: Queryable, versionId: string): Promise<{ readonly graph: unknown } | undefined> {
  return db.selectFrom('pipeline_versions').select('graph').where('id', '=', versionId).executeTakeFirst()
}

/** Parts of the graph are taken out in the database: the whole of it is read only where it is walked. */
function runnable(db: Queryable) {
  return db
    .selectFrom('pipelines')
    .innerJoin('pipeline_versions as v', 'v.pipeline_id', 'pipelines.id')
    .select(PIPELINE)
    .select(['v.id as version_id', 'v.version as version_number', 'pipelines.deleted_at'])
    .select([
      sql<string | null>`v.graph ->> 'profile'`.as('profile'),
      sql<unknown>`v.graph -> 'variables'`.as('variables'),
      sql<unknown>`v.graph -> 'secrets'`.as('secrets'),
      sql<unknown>`v.graph -> 'finalOutputs'`.as('final_outputs'),
      sql<number | null>`(v.graph ->> 'timeoutMs')::bigint`.as('timeout_ms'),
      sql<unknown>`(select jsonb_object_agg(p.name, p.profile_id) from pipeline_profiles p where p.pipeline_id = pipelines.id)`.as(
        'profiles',
      ),
    ])
}

interface RunnableColumns extends PipelineColumns {
  readonly version_id: string
  readonly version_number: number
  readonly deleted_at: Date | null
  readonly profile: string | null
  readonly variables: unknown
  readonly secrets: unknown
  readonly final_outputs: unknown
  readonly timeout_ms: number | null
  readonly profiles: unknown
}

function toRunnable(row: RunnableColumns): RunnableVersion {
  return {
    pipelineId: row.id,
    versionId: row.version_id,
    version: row.version_number,
    identifier: row.identifier,
    name: row.name,
    teamPath: row.team_path,
    profileId: row.profile_id,
    profile: row.profile,
    variables: row.variables,
    secrets: row.secrets,
    finalOutputs: row.final_outputs,
    timeoutMs: row.timeout_ms,
    profiles: row.profiles,
    deleted: row.deleted_at !== null,
  }
}

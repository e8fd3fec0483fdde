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
  readonly timeoutMs: number | null
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

/** The graph as JSON and the length of its text, by which a cache weighs it. */
export async function findGraph(
  db: Queryable,
  versionId: string,
): Promise<{ readonly graph: unknown; readonly size: number } | undefined> {
  const row = await db
    .selectFrom('pipeline_versions')
    .select(['graph', sql<number>`length(document)`.as('size')])
    .where('id', '=', versionId)
    .executeTakeFirst()
  return row && { graph: row.graph, size: row.size }
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
      sql<number | null>`(v.graph ->> 'timeoutMs')::bigint`.as('timeout_ms'),
    ])
}

interface RunnableColumns extends PipelineColumns {
  readonly version_id: string
  readonly version_number: number
  readonly deleted_at: Date | null
  readonly profile: string | null
  readonly variables: unknown
  readonly secrets: unknown
  readonly timeout_ms: number | null
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
    timeoutMs: row.timeout_ms,
    deleted: row.deleted_at !== null,
  }
}

import type { Graph } from '@signalbox/pipeline/graph'
import { sql } from 'kysely'
import { type Queryable, type Tx, withinPrefixes } from '#platform/database'

export interface PipelineRow {
  readonly id: string
  readonly teamPath: string
  readonly name: string
  readonly identifier: string
  readonly version: number
  readonly profileId: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface VersionRow {
  readonly id: string
  readonly pipelineId: string
  readonly version: number
  readonly savedBy: string
  readonly savedAt: Date
}

export interface NewVersion extends VersionRow {
  readonly document: string
  readonly graph: Graph
}

/** A pipeline and its current version, without the graph. */
export interface CurrentPipeline extends PipelineRow {
  readonly current: VersionRow & { readonly document: string; readonly profile: string | null }
}

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

const PIPELINE = [
  'pipelines.id',
  'pipelines.team_path',
  'pipelines.name',
  'pipelines.identifier',
  'pipelines.version',
  'pipelines.profile_id',
  'pipelines.created_at',
  'pipelines.updated_at',
] as const

export async function insertPipeline(db: Queryable, row: Omit<PipelineRow, 'identifier'>): Promise<void> {
  await db
    .insertInto('pipelines')
    .values({
      id: row.id,
      team_path: row.teamPath,
      name: row.name,
      version: row.version,
      profile_id: row.profileId,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })
    .execute()
}

export async function insertVersion(db: Queryable, row: NewVersion): Promise<void> {
  await db
    .insertInto('pipeline_versions')
    .values({
      id: row.id,
      pipeline_id: row.pipelineId,
      version: row.version,
      document: row.document,
      graph: JSON.stringify(row.graph),
      saved_by: row.savedBy,
      saved_at: row.savedAt,
    })
    .execute()
}

export async function setCurrentVersion(
  db: Queryable,
  id: string,
  change: { readonly version: number; readonly profileId: string | null; readonly at: Date },
): Promise<void> {
  await db
    .updateTable('pipelines')
    .set({ version: change.version, profile_id: change.profileId, updated_at: change.at })
    .where('id', '=', id)
    .execute()
}

/** The row stays for its runs; it lets go of its name and its profile. */
export async function markDeleted(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('pipelines')
    .set({ deleted_at: at, updated_at: at, profile_id: null })
    .where('id', '=', id)
    .execute()
}

/** Holds the live row until the transaction ends, so that two saves take turns. */
export async function lockPipeline(tx: Tx, id: string): Promise<PipelineRow | undefined> {
  const row = await tx
    .selectFrom('pipelines')
    .select(PIPELINE)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && toPipeline(row)
}

/** A live pipeline by exactly one of id and identifier. */
export type PipelineKey = { readonly id: string } | { readonly identifier: string }

export async function findPipeline(db: Queryable, key: PipelineKey): Promise<PipelineRow | undefined> {
  const row = await live(db, key).select(PIPELINE).executeTakeFirst()
  return row && toPipeline(row)
}

export async function findCurrent(db: Queryable, key: PipelineKey): Promise<CurrentPipeline | undefined> {
  const row = await live(db, key)
    .innerJoin('pipeline_versions as v', (join) =>
      join.onRef('v.pipeline_id', '=', 'pipelines.id').onRef('v.version', '=', 'pipelines.version'),
    )
    .select(PIPELINE)
    .select(['v.id as version_id', 'v.document', 'v.saved_by', 'v.saved_at'])
    .select(sql<string | null>`v.graph ->> 'profile'`.as('profile'))
    .executeTakeFirst()
  if (!row) return undefined
  const pipeline = toPipeline(row)
  const { version } = pipeline
  const saved = { savedBy: row.saved_by, savedAt: row.saved_at, document: row.document, profile: row.profile }
  return { ...pipeline, current: { id: row.version_id, pipelineId: pipeline.id, version, ...saved } }
}

export interface PipelineFilter {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  readonly before: string | undefined
  readonly limit: number
}

export async function listPipelines(db: Queryable, filter: PipelineFilter): Promise<PipelineRow[]> {
  let query = db
    .selectFrom('pipelines')
    .select(PIPELINE)
    .where('deleted_at', 'is', null)
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath) query = query.where(withinPrefixes('team_path', [filter.teamPath]))
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toPipeline)
}

export async function listVersions(
  db: Queryable,
  filter: { readonly pipelineId: string; readonly before: string | undefined; readonly limit: number },
): Promise<VersionRow[]> {
  let query = db
    .selectFrom('pipeline_versions')
    .select(['id', 'pipeline_id', 'version', 'saved_by', 'saved_at'])
    .where('pipeline_id', '=', filter.pipelineId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toVersion)
}

export async function findVersion(
  db: Queryable,
  pipelineId: string,
  version: number,
): Promise<(VersionRow & { readonly document: string }) | undefined> {
  const row = await db
    .selectFrom('pipeline_versions')
    .select(['id', 'pipeline_id', 'version', 'saved_by', 'saved_at', 'document'])
    .where('pipeline_id', '=', pipelineId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && { ...toVersion(row), document: row.document }
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

function live(db: Queryable, key: PipelineKey) {
  const query = db.selectFrom('pipelines').where('pipelines.deleted_at', 'is', null)
  return 'id' in key
    ? query.where('pipelines.id', '=', key.id)
    : query.where('pipelines.identifier', '=', key.identifier)
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

interface PipelineColumns {
  readonly id: string
  readonly team_path: string
  readonly name: string
  readonly identifier: string
  readonly version: number
  readonly profile_id: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

function toPipeline(row: PipelineColumns): PipelineRow {
  return {
    id: row.id,
    teamPath: row.team_path,
    name: row.name,
    identifier: row.identifier,
    version: row.version,
    profileId: row.profile_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toVersion(row: {
  readonly id: string
  readonly pipeline_id: string
  readonly version: number
  readonly saved_by: string
  readonly saved_at: Date
}): VersionRow {
  return {
    id: row.id,
    pipelineId: row.pipeline_id,
    version: row.version,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
  }
}

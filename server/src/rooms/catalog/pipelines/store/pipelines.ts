import { sql } from 'kysely'
import { type Queryable, type Tx, withinPrefixes } from '#platform/database'
import type { VersionRow } from './versions.ts'

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

/** A pipeline and its current version, without the graph. */
export interface CurrentPipeline extends PipelineRow {
  readonly current: VersionRow & { readonly document: string; readonly profile: string | null }
}

export const PIPELINE = [
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

/** The row stays for its runs; it lets go of its name and its profiles. */
export async function markDeleted(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('pipelines')
    .set({ deleted_at: at, updated_at: at, profile_id: null })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('pipeline_profiles').where('pipeline_id', '=', id).execute()
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

function live(db: Queryable, key: PipelineKey) {
  const query = db.selectFrom('pipelines').where('pipelines.deleted_at', 'is', null)
  return 'id' in key
    ? query.where('pipelines.id', '=', key.id)
    : query.where('pipelines.identifier', '=', key.identifier)
}

export interface PipelineColumns {
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

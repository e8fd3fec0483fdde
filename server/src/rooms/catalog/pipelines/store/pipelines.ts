import { sql } from 'kysely'
import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = ['id', 'team_path', 'name', 'identifier', 'version', 'profile_id', 'created_at', 'updated_at'] as const
const PIPELINE = COLUMNS.map((column) => `pipelines.${column}` as const)

export type PipelineRow = RowOf<'pipelines', (typeof COLUMNS)[number]>

/** A pipeline with its current version, without the graph. */
export interface CurrentPipeline extends PipelineRow, RowOf<'pipeline_versions', 'document' | 'saved_by'> {
  readonly versionId: string
  /** As the document names it. */
  readonly profile: string | null
}

export async function insertPipeline(db: Queryable, row: Omit<PipelineRow, 'identifier'>): Promise<void> {
  await db.insertInto('pipelines').values(toSnake(row)).execute()
}

export async function setCurrentVersion(
  db: Queryable,
  id: string,
  change: Pick<PipelineRow, 'version' | 'profileId' | 'updatedAt'>,
): Promise<void> {
  await db.updateTable('pipelines').set(toSnake(change)).where('id', '=', id).execute()
}

/** The row stays for its runs; its name and its profiles are free, and it uses no secret and starts no pipeline any more. */
export async function markDeleted(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('pipelines')
    .set({ deleted_at: at, updated_at: at, profile_id: null })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('pipeline_profiles').where('pipeline_id', '=', id).execute()
  await db.deleteFrom('pipeline_secrets').where('pipeline_id', '=', id).execute()
  await db.deleteFrom('pipeline_children').where('pipeline_id', '=', id).execute()
}

/** Locks the live row until the transaction ends, so that two saves take turns. */
export async function lockPipeline(tx: Tx, id: string): Promise<PipelineRow | undefined> {
  return findOne(live(tx, { id }).select(PIPELINE).forUpdate())
}

/** Either the id or the identifier. */
export type PipelineKey = { readonly id: string } | { readonly identifier: string }

export async function findPipeline(db: Queryable, key: PipelineKey): Promise<PipelineRow | undefined> {
  return findOne(live(db, key).select(PIPELINE))
}

/** Those of these pipelines that were not deleted. */
export async function listLive(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('pipelines')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function findCurrent(db: Queryable, key: PipelineKey): Promise<CurrentPipeline | undefined> {
  return findOne(
    live(db, key)
      .innerJoin('pipeline_versions as v', (join) =>
        join.onRef('v.pipeline_id', '=', 'pipelines.id').onRef('v.version', '=', 'pipelines.version'),
      )
      .select(PIPELINE)
      .select(['v.id as version_id', 'v.document', 'v.saved_by'])
      .select(sql<string | null>`v.graph ->> 'profile'`.as('profile')),
  )
}

export interface PipelineFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  /** Those that name this secret, `<team path>/<name>`. */
  readonly secret?: string | undefined
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
  const { secret } = filter
  if (secret !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('pipeline_secrets').select('pipeline_id').where('secret', '=', secret),
    )
  }
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

function live(db: Queryable, key: PipelineKey) {
  const query = db.selectFrom('pipelines').where('pipelines.deleted_at', 'is', null)
  return 'id' in key
    ? query.where('pipelines.id', '=', key.id)
    : query.where('pipelines.identifier', '=', key.identifier)
}

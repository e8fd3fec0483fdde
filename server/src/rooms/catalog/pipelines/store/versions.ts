import type { Graph } from '@signalbox/pipeline/graph'
import { findOne, type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = ['id', 'pipeline_id', 'version', 'saved_by', 'saved_at'] as const

export type VersionRow = RowOf<'pipeline_versions', (typeof COLUMNS)[number]>

export interface NewVersion extends VersionRow {
  readonly document: string
  readonly graph: Graph
}

export async function insertVersion(db: Queryable, row: NewVersion): Promise<void> {
  await db
    .insertInto('pipeline_versions')
    .values(toSnake({ ...row, graph: JSON.stringify(row.graph) }))
    .execute()
}

export async function listVersions(
  db: Queryable,
  filter: Window & { readonly pipelineId: string },
): Promise<VersionRow[]> {
  let query = db
    .selectFrom('pipeline_versions')
    .select(COLUMNS)
    .where('pipeline_id', '=', filter.pipelineId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

export async function findVersion(
  db: Queryable,
  pipelineId: string,
  version: number,
): Promise<(VersionRow & { readonly document: string }) | undefined> {
  return findOne(
    db
      .selectFrom('pipeline_versions')
      .select(COLUMNS)
      .select('document')
      .where('pipeline_id', '=', pipelineId)
      .where('version', '=', version),
  )
}

/** The YAML of a version as it was saved. */
export async function findDocument(db: Queryable, versionId: string): Promise<string | undefined> {
  const row = await db.selectFrom('pipeline_versions').select('document').where('id', '=', versionId).executeTakeFirst()
  return row?.document
}

/** The graph of a version as JSON, in the format that it was stored in. */
export async function findGraph(db: Queryable, versionId: string): Promise<{ readonly graph: unknown } | undefined> {
  return db.selectFrom('pipeline_versions').select('graph').where('id', '=', versionId).executeTakeFirst()
}

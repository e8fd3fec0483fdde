import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'

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

/** The YAML of a version as it was saved. */
export async function findDocument(db: Queryable, versionId: string): Promise<string | undefined> {
  const row = await db.selectFrom('pipeline_versions').select('document').where('id', '=', versionId).executeTakeFirst()
  return row?.document
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

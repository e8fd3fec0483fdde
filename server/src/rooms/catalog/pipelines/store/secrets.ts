import type { Queryable, RowOf } from '#platform/database'

export type NamedSecret = RowOf<'pipeline_secrets', 'secret' | 'directive'>

/** Sets the secrets that a pipeline's current version names. */
export async function replaceSecrets(db: Queryable, pipelineId: string, named: readonly NamedSecret[]): Promise<void> {
  await db.deleteFrom('pipeline_secrets').where('pipeline_id', '=', pipelineId).execute()
  const rows = named.map((each) => ({ ...each, pipeline_id: pipelineId }))
  if (rows.length > 0) await db.insertInto('pipeline_secrets').values(rows).execute()
}

/** The directives that name a secret, by pipeline. */
export async function listNaming(
  db: Queryable,
  secret: string,
  pipelineIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (pipelineIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('pipeline_secrets')
    .select(['pipeline_id', 'directive'])
    .where('secret', '=', secret)
    .where('pipeline_id', 'in', [...pipelineIds])
    .orderBy('directive')
    .execute()
  const byPipeline = Map.groupBy(rows, (row) => row.pipeline_id)
  return new Map([...byPipeline].map(([id, found]) => [id, found.map(({ directive }) => directive)]))
}

import { sql } from 'kysely'
import { type Queryable, type RowOf, toCamel } from '#platform/database'

/** A pipeline that a task starts, and the scope of its step; null: that of the run. */
type NamedChild = RowOf<'pipeline_children', 'child' | 'scope'>

/** A live pipeline whose current version starts `child`. */
interface NamingParent extends NamedChild, RowOf<'pipelines', 'identifier' | 'team_path'> {}

/** Sets the pipelines that tasks of a pipeline's current version start. */
export async function replaceChildren(db: Queryable, pipelineId: string, named: readonly NamedChild[]): Promise<void> {
  await db.deleteFrom('pipeline_children').where('pipeline_id', '=', pipelineId).execute()
  await db
    .updateTable('pipelines')
    .set((eb) => ({ children_version: eb.ref('version') }))
    .where('id', '=', pipelineId)
    .execute()
  const rows = named.map((each) => ({ ...each, pipeline_id: pipelineId }))
  if (rows.length === 0) return
  await db
    .insertInto('pipeline_children')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Of all teams: whoever asks tells no more of it than the caller may see. Undefined: not all are known, because there are
 * `most` or more, or because a server of an older version saved one.
 */
export async function listParents(
  db: Queryable,
  children: readonly string[],
  most: number,
): Promise<readonly NamingParent[] | undefined> {
  if (children.length === 0) return []
  if (await hasStaleParent(db, children)) return undefined
  const rows = await db
    .selectFrom('pipeline_children as c')
    .innerJoin('pipelines', 'pipelines.id', 'c.pipeline_id')
    .select(['c.child', 'c.scope', 'pipelines.identifier', 'pipelines.team_path'])
    .where('c.child', 'in', [...children])
    .where('pipelines.deleted_at', 'is', null)
    .limit(most)
    .execute()
  return rows.length < most ? rows.map(toCamel) : undefined
}

/** A server of an older version saves a pipeline and leaves the rows as they were: then its graph tells. */
async function hasStaleParent(db: Queryable, children: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('pipelines as p')
    .innerJoin('pipeline_versions as v', (join) =>
      join.onRef('v.pipeline_id', '=', 'p.id').onRef('v.version', '=', 'p.version'),
    )
    .select('p.id')
    .where('p.deleted_at', 'is', null)
    .whereRef('p.children_version', 'is distinct from', 'p.version')
    .where(
      sql<boolean>`exists (
        select from jsonb_path_query(v.graph, 'lax $.steps[*].tasks[*].pipeline') task (child)
        where task.child #>> '{}' = any(${[...children]}::text[])
      )`,
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

import type { Queryable } from '#platform/database'
import type { IndexedTrigger } from '../rules/index.ts'
import { type TriggerRow, toIndexed } from './rows.ts'

/** Raised in the transaction of each change of a trigger. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('triggers_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

/** Every trigger by id, `limit` at a time: the page behind `after`. */
export async function listPage(db: Queryable, after: string | undefined, limit: number): Promise<IndexedTrigger[]> {
  let query = db.selectFrom('triggers').selectAll().orderBy('id').limit(limit)
  if (after !== undefined) query = query.where('id', '>', after)
  return (await query.execute()).map(toIndexed)
}

export interface TriggerChanges {
  readonly revision: number
  /** False: what changed so long ago is not recorded any more. */
  readonly complete: boolean
  readonly changed: readonly IndexedTrigger[]
  readonly deleted: readonly string[]
}

/** What changed after a revision, all of it as of one moment: a single statement, so that nothing can come between. */
export async function readChanges(db: Queryable, since: number): Promise<TriggerChanges> {
  const rows = await db
    .selectFrom('triggers_revision as now')
    .leftJoin('triggers_changes as change', (join) => join.on('change.revision', '>', since))
    .leftJoin('triggers as trigger', 'trigger.id', 'change.trigger_id')
    .select(['now.revision', 'now.complete_since', 'change.trigger_id'])
    .selectAll('trigger')
    .execute()
  const [first] = rows
  if (!first) throw new Error('The table triggers_revision has lost its row')
  const deleted = rows.flatMap((row) => (row.trigger_id !== null && row.id === null ? [row.trigger_id] : []))
  const { revision, complete_since: completeSince } = first
  return { revision, complete: since >= completeSince, changed: rows.filter(isWhole).map(toIndexed), deleted }
}

/** All of its columns are there, or none: the join found it, or did not. */
function isWhole<Row extends { readonly id: string | null }>(row: Row): row is Row & TriggerRow {
  return row.id !== null
}

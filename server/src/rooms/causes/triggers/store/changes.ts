import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { IndexedTrigger } from '../rules/index.ts'
import { type TriggerRow, toIndexed } from './rows.ts'
import type { SharedValues } from './shared-values.ts'

/** Raised in the transaction of each change of a trigger. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('triggers_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

/** Every trigger by id, `limit` at a time: the page behind `after`. */
export async function listPage(
  db: Queryable,
  shared: SharedValues,
  after: string | undefined,
  limit: number,
): Promise<IndexedTrigger[]> {
  let query = db.selectFrom('triggers').selectAll().orderBy('id').limit(limit)
  if (after !== undefined) query = query.where('id', '>', after)
  return (await query.execute()).map((row) => toIndexed(row, shared))
}

/** How far changes were read: behind this change of this revision. */
export interface ChangeCursor {
  readonly revision: number
  readonly triggerId: string
}

/** Behind every change of a revision. */
export function allOf(revision: number): ChangeCursor {
  return { revision, triggerId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
}

export interface TriggerChanges {
  /** False: what changed so long ago is not recorded any more. */
  readonly complete: boolean
  readonly changed: readonly IndexedTrigger[]
  readonly deleted: readonly string[]
  /** Where to go on; undefined: this is all, as of the revision. */
  readonly next: ChangeCursor | undefined
  readonly revision: number
}

/**
 * At most `limit` changes after the cursor. One statement reads them, so that all are of one moment. A trigger that changes
 * between two pages comes again on a later page, in its newest form.
 */
export async function readChanges(
  db: Queryable,
  shared: SharedValues,
  since: ChangeCursor,
  limit: number,
): Promise<TriggerChanges> {
  const rows = await db
    .selectFrom('triggers_revision as now')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('triggers_changes')
          .select(['revision as changed_at', 'trigger_id'])
          .where(sql<boolean>`(revision, trigger_id) > (${since.revision}, ${since.triggerId}::uuid)`)
          .orderBy('revision')
          .orderBy('trigger_id')
          .limit(limit)
          .as('change'),
      (join) => join.onTrue(),
    )
    .leftJoin('triggers as trigger', 'trigger.id', 'change.trigger_id')
    .select(['now.revision', 'now.complete_since', 'change.changed_at', 'change.trigger_id'])
    .selectAll('trigger')
    .execute()
  const [first] = rows
  if (!first) throw new Error('The table triggers_revision has lost its row')
  const last = rows.length < limit ? undefined : rows.at(-1)
  const next =
    last && last.changed_at !== null && last.trigger_id !== null
      ? { revision: last.changed_at, triggerId: last.trigger_id }
      : undefined
  return {
    complete: since.revision >= first.complete_since,
    changed: rows.filter(isWhole).map((row) => toIndexed(row, shared)),
    deleted: rows.flatMap((row) => (row.trigger_id !== null && row.id === null ? [row.trigger_id] : [])),
    next,
    revision: first.revision,
  }
}

/** All of its columns are there, or none: the join found it, or did not. */
function isWhole<Row extends { readonly id: string | null }>(row: Row): row is Row & TriggerRow {
  return row.id !== null
}

import { type Queryable, type Tx, toCamel } from '#platform/database'
import type { ActiveEmergency, CopiedItem } from '../rules/index.ts'
import { currentItems } from './items.ts'

/** Raised in the transaction of each change of an item or an emergency. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('knowledge_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

/**
 * The revision, locked: until the transaction ends, no change of an item or an emergency commits. The reaction to the next
 * change therefore finds every run that this transaction lets begin.
 */
export async function shareRevision(tx: Tx): Promise<number> {
  const row = await tx.selectFrom('knowledge_revision').select('revision').forShare().executeTakeFirstOrThrow()
  return row.revision
}

/** Every item as its current revision has it, without the text: for the copy in memory. */
export async function listCopiedItems(db: Queryable): Promise<CopiedItem[]> {
  const rows = await currentItems(db)
    .select(['item.id', 'item.team_path', 'item.name', 'item.kind', 'item.revision_id'])
    .select(['current.scope', 'current.rule', 'current.judged_at', 'current.time_zone', 'current.message'])
    .execute()
  return rows.map(toCamel)
}

/** Every active emergency. */
export async function listActiveEmergencies(db: Queryable): Promise<ActiveEmergency[]> {
  const rows = await db
    .selectFrom('emergencies')
    .select(['id', 'scope', 'team_path', 'reason', 'declared_by', 'declared_at'])
    .where('lifted_at', 'is', null)
    .execute()
  return rows.map(toCamel)
}

import type { Queryable, Tx } from '#platform/database'
import type { HeldEmergency, HeldItem } from '../rules/index.ts'
import { toContent, toKind } from './rows.ts'

/** Raised in the transaction of each change of an item or an emergency. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('knowledge_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

/**
 * The same, and no change of an item or an emergency commits until the transaction ends: what it lets begin is there for
 * whoever is told of the next change.
 */
export async function shareRevision(tx: Tx): Promise<number> {
  const row = await tx.selectFrom('knowledge_revision').select('revision').forShare().executeTakeFirstOrThrow()
  return row.revision
}

/** Every item as its current revision has it, without the text: for the copy in memory. */
export async function listHeldItems(db: Queryable): Promise<HeldItem[]> {
  const rows = await db
    .selectFrom('knowledge_items as item')
    .innerJoin('knowledge_revisions as current', 'current.id', 'item.revision_id')
    .select(['item.id', 'item.team_path', 'item.name', 'item.kind', 'item.revision_id'])
    .select(['current.scope', 'current.rule', 'current.judged_at', 'current.time_zone', 'current.message'])
    .execute()
  return rows.map((row) => ({
    ...toContent(row),
    id: row.id,
    revisionId: row.revision_id,
    teamPath: row.team_path,
    name: row.name,
    kind: toKind(row.kind),
  }))
}

/** Every emergency that holds now. */
export async function listHeldEmergencies(db: Queryable): Promise<HeldEmergency[]> {
  const rows = await db
    .selectFrom('emergencies')
    .select(['id', 'scope', 'team_path', 'reason', 'declared_by', 'declared_at'])
    .where('lifted_at', 'is', null)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    scope: row.scope,
    teamPath: row.team_path,
    reason: row.reason,
    declaredBy: row.declared_by,
    declaredAt: row.declared_at,
  }))
}

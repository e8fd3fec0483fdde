import { findOne, type Queryable, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'
import type { Revision, RevisionHead } from '../rules/index.ts'

const HEAD = [
  'id',
  'item_id',
  'team_path',
  'name',
  'kind',
  'revision',
  'scope',
  'rule',
  'judged_at',
  'time_zone',
  'message',
  'saved_by',
  'saved_at',
] as const

export async function insertRevision(db: Queryable, row: Revision): Promise<void> {
  await db.insertInto('knowledge_revisions').values(toSnake(row)).execute()
}

/** Newest first. */
export async function listRevisions(
  db: Queryable,
  filter: Window & { readonly itemId: string },
): Promise<RevisionHead[]> {
  let query = db
    .selectFrom('knowledge_revisions')
    .select(HEAD)
    .where('item_id', '=', filter.itemId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** Also a revision whose item is deleted. */
export async function findRevision(db: Queryable, id: string): Promise<Revision | undefined> {
  return findOne(db.selectFrom('knowledge_revisions').select(HEAD).select('text').where('id', '=', id))
}

/** In any order; ids that do not exist are left out. */
export async function findRevisions(db: Queryable, ids: readonly string[]): Promise<RevisionHead[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('knowledge_revisions')
    .select(HEAD)
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(toCamel)
}

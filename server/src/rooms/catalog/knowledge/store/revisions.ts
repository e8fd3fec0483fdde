import type { Queryable } from '#platform/database'
import type { Revision, RevisionHead } from '../rules/index.ts'
import { type ContentColumns, toContent, toKind } from './rows.ts'

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
  await db
    .insertInto('knowledge_revisions')
    .values({
      id: row.id,
      item_id: row.itemId,
      revision: row.revision,
      team_path: row.teamPath,
      name: row.name,
      kind: row.kind,
      scope: row.scope,
      rule: row.rule,
      judged_at: row.at,
      time_zone: row.timeZone,
      message: row.message,
      text: row.text,
      saved_by: row.savedBy,
      saved_at: row.savedAt,
    })
    .execute()
}

/** Newest first; the page behind `before`. */
export async function listRevisions(
  db: Queryable,
  filter: { readonly itemId: string; readonly before: string | undefined; readonly limit: number },
): Promise<RevisionHead[]> {
  let query = db
    .selectFrom('knowledge_revisions')
    .select(HEAD)
    .where('item_id', '=', filter.itemId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toHead)
}

/** Also one whose item is gone. */
export async function findRevision(db: Queryable, id: string): Promise<Revision | undefined> {
  const row = await db
    .selectFrom('knowledge_revisions')
    .select(HEAD)
    .select('text')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...toHead(row), text: row.text }
}

/** In no order; without those that do not exist. */
export async function findRevisions(db: Queryable, ids: readonly string[]): Promise<RevisionHead[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('knowledge_revisions')
    .select(HEAD)
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(toHead)
}

interface HeadColumns extends ContentColumns {
  readonly id: string
  readonly item_id: string
  readonly team_path: string
  readonly name: string
  readonly kind: string
  readonly revision: number
  readonly saved_by: string
  readonly saved_at: Date
}

function toHead(row: HeadColumns): RevisionHead {
  return {
    ...toContent(row),
    id: row.id,
    itemId: row.item_id,
    teamPath: row.team_path,
    name: row.name,
    kind: toKind(row.kind),
    revision: row.revision,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
  }
}

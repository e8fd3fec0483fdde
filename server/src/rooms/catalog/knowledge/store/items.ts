import { findOne, type Queryable, type Tx, toCamel, toSnake, withinOrAbove } from '#platform/database'
import type { Window } from '#platform/http'
import type { Item, ItemHead, KnowledgeKind } from '../rules/index.ts'
import { tellChange } from './tell.ts'

const HEAD = [
  'item.id',
  'item.team_path',
  'item.name',
  'item.kind',
  'item.revision',
  'item.revision_id',
  'item.created_at',
  'item.updated_at',
  'current.scope',
  'current.rule',
  'current.judged_at',
  'current.time_zone',
  'current.message',
  'current.saved_by',
] as const

/** Either the id, or the team and the name. */
export type ItemKey = { readonly id: string } | { readonly teamPath: string; readonly name: string }

/** The revision is inserted in the same transaction. Violates `knowledge_items_name_taken`. */
export async function insertItem(db: Queryable, item: ItemHead): Promise<void> {
  const { id, teamPath, name, kind, revision, revisionId, createdAt, updatedAt } = item
  await db
    .insertInto('knowledge_items')
    .values(toSnake({ id, teamPath, name, kind, revision, revisionId, createdAt, updatedAt }))
    .execute()
  await tellChange(db, { channel: 'knowledge_item_changed', change: 'created' }, item)
}

export async function setRevision(db: Queryable, item: ItemHead): Promise<void> {
  const { id, revision, revisionId, updatedAt } = item
  await db
    .updateTable('knowledge_items')
    .set(toSnake({ revision, revisionId, updatedAt }))
    .where('id', '=', id)
    .execute()
  await tellChange(db, { channel: 'knowledge_item_changed', change: 'changed' }, item)
}

export async function deleteItem(db: Queryable, item: Pick<ItemHead, 'id' | 'teamPath'>): Promise<void> {
  await db.deleteFrom('knowledge_items').where('id', '=', item.id).execute()
  await tellChange(db, { channel: 'knowledge_item_changed', change: 'gone' }, item)
}

export async function findItem(db: Queryable, key: ItemKey): Promise<Item | undefined> {
  const query = currentItems(db).select(HEAD).select('current.text')
  return findOne(
    'id' in key
      ? query.where('item.id', '=', key.id)
      : query.where('item.team_path', '=', key.teamPath).where('item.name', '=', key.name),
  )
}

/**
 * Locks the item until the transaction ends, so that two saves take turns. The lock is a statement of its own: a joined
 * statement that waits while another save sets the next revision would find no revision.
 */
export async function lockItem(tx: Tx, id: string): Promise<Item | undefined> {
  await tx.selectFrom('knowledge_items').select('id').where('id', '=', id).forUpdate().execute()
  return findItem(tx, { id })
}

export interface ItemFilter extends Window {
  /** Items of these teams, of those below and of those above. */
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  readonly kind: KnowledgeKind | undefined
  /** Only these. */
  readonly ids: readonly string[] | undefined
}

export async function listItems(db: Queryable, filter: ItemFilter): Promise<ItemHead[]> {
  if (filter.ids?.length === 0) return []
  let query = currentItems(db)
    .select(HEAD)
    .where(withinOrAbove('item.team_path', filter.prefixes))
    .orderBy('item.id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('item.team_path', '=', filter.teamPath)
  if (filter.kind !== undefined) query = query.where('item.kind', '=', filter.kind)
  if (filter.ids) query = query.where('item.id', 'in', [...filter.ids])
  if (filter.before !== undefined) query = query.where('item.id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** Each item joined with its current revision. */
export function currentItems(db: Queryable) {
  return db
    .selectFrom('knowledge_items as item')
    .innerJoin('knowledge_revisions as current', 'current.id', 'item.revision_id')
}

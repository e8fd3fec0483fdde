import { type Queryable, type Tx, withinPrefixes } from '#platform/database'
import type { Item, ItemHead, KnowledgeKind } from '../rules/index.ts'
import { type ContentColumns, toContent, toKind } from './rows.ts'

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

/** By exactly one of id and place. */
export type ItemKey = { readonly id: string } | { readonly teamPath: string; readonly name: string }

/** Its revision is inserted in the same transaction. Violates `knowledge_items_name_taken`. */
export async function insertItem(db: Queryable, item: ItemHead): Promise<void> {
  await db
    .insertInto('knowledge_items')
    .values({
      id: item.id,
      team_path: item.teamPath,
      name: item.name,
      kind: item.kind,
      revision: item.revision,
      revision_id: item.revisionId,
      created_at: item.createdAt,
      updated_at: item.updatedAt,
    })
    .execute()
}

export async function setRevision(db: Queryable, item: ItemHead): Promise<void> {
  await db
    .updateTable('knowledge_items')
    .set({ revision: item.revision, revision_id: item.revisionId, updated_at: item.updatedAt })
    .where('id', '=', item.id)
    .execute()
}

export async function deleteItem(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('knowledge_items').where('id', '=', id).execute()
}

export async function findItem(db: Queryable, key: ItemKey): Promise<Item | undefined> {
  const query = current(db).select(HEAD).select('current.text')
  const row = await ('id' in key
    ? query.where('item.id', '=', key.id)
    : query.where('item.team_path', '=', key.teamPath).where('item.name', '=', key.name)
  ).executeTakeFirst()
  return row && { ...toHead(row), text: row.text }
}

/**
 * Holds the item until the transaction ends, so that two saves take turns. Locked by itself and read afterwards: who waits
 * for the lock while the item gets another revision would find it joined with none.
 */
export async function lockItem(tx: Tx, id: string): Promise<Item | undefined> {
  await tx.selectFrom('knowledge_items').select('id').where('id', '=', id).forUpdate().execute()
  return findItem(tx, { id })
}

export interface ItemFilter {
  /** Items of these teams and those below. */
  readonly prefixes: readonly string[]
  /** Items of exactly these teams as well. */
  readonly teams: readonly string[]
  readonly teamPath: string | undefined
  readonly kind: KnowledgeKind | undefined
  /** Only these. */
  readonly ids: readonly string[] | undefined
  readonly before: string | undefined
  readonly limit: number
}

export async function listItems(db: Queryable, filter: ItemFilter): Promise<ItemHead[]> {
  if (filter.ids?.length === 0) return []
  let query = current(db)
    .select(HEAD)
    .where((where) =>
      where.or([
        withinPrefixes('item.team_path', filter.prefixes),
        ...(filter.teams.length > 0 ? [where('item.team_path', 'in', [...filter.teams])] : []),
      ]),
    )
    .orderBy('item.id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('item.team_path', '=', filter.teamPath)
  if (filter.kind !== undefined) query = query.where('item.kind', '=', filter.kind)
  if (filter.ids) query = query.where('item.id', 'in', [...filter.ids])
  if (filter.before !== undefined) query = query.where('item.id', '<', filter.before)
  return (await query.execute()).map(toHead)
}

function current(db: Queryable) {
  return db
    .selectFrom('knowledge_items as item')
    .innerJoin('knowledge_revisions as current', 'current.id', 'item.revision_id')
}

interface HeadColumns extends ContentColumns {
  readonly id: string
  readonly team_path: string
  readonly name: string
  readonly kind: string
  readonly revision: number
  readonly revision_id: string
  readonly saved_by: string
  readonly created_at: Date
  readonly updated_at: Date
}

function toHead(row: HeadColumns): ItemHead {
  return {
    ...toContent(row),
    id: row.id,
    teamPath: row.team_path,
    name: row.name,
    kind: toKind(row.kind),
    revision: row.revision,
    revisionId: row.revision_id,
    savedBy: row.saved_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

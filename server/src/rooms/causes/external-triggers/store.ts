import { sql } from 'kysely'
import {
  type FoundByText,
  findByText,
  findOne,
  type Queryable,
  type RowOf,
  type TextWish,
  toCamel,
  toSnake,
  withinPrefixes,
} from '#platform/database'
import type { Window } from '#platform/http'

export type ExternalTrigger = RowOf<'external_triggers'>

export interface ExternalTriggerFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
}

export async function listExternalTriggers(db: Queryable, filter: ExternalTriggerFilter): Promise<ExternalTrigger[]> {
  let query = db
    .selectFrom('external_triggers')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('team_path', '=', filter.teamPath)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** By uuid, or by `<team path>/<name>`. */
export function findExternalTrigger(db: Queryable, asked: string): Promise<ExternalTrigger | undefined> {
  return findOne(ofName(db, asked))
}

/** Locked until the transaction ends: writes and fires come one after the other. */
export function lockExternalTrigger(db: Queryable, asked: string): Promise<ExternalTrigger | undefined> {
  return findOne(ofName(db, asked).forUpdate())
}

function ofName(db: Queryable, asked: string) {
  const query = db.selectFrom('external_triggers').selectAll()
  const slash = asked.lastIndexOf('/')
  if (slash < 0) return query.where('id', '=', asked)
  return query.where('team_path', '=', asked.slice(0, slash)).where('name', '=', asked.slice(slash + 1))
}

export async function insertExternalTrigger(db: Queryable, trigger: ExternalTrigger): Promise<void> {
  await db.insertInto('external_triggers').values(toSnake(trigger)).execute()
}

export async function updateExternalTrigger(db: Queryable, trigger: ExternalTrigger): Promise<void> {
  await db.updateTable('external_triggers').set(toSnake(trigger)).where('id', '=', trigger.id).execute()
}

export async function deleteExternalTrigger(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('external_triggers').where('id', '=', id).execute()
}

/** Who was judged: the trigger as it was read. */
type Judged = Pick<ExternalTrigger, 'id' | 'updatedAt'>

export interface NotedFire {
  readonly at: Date
  readonly runId: string
  /** A fire by a token proves nothing about those by secret. */
  readonly bySecret: boolean
}

/**
 * Notes a fire, and locks the trigger until the transaction ends. False where somebody has written or deleted it since it
 * was judged. `updated_at` stays: the document that people write is the same.
 */
export async function noteFire(db: Queryable, { id, updatedAt }: Judged, fire: NotedFire): Promise<boolean> {
  const noted = await db
    .updateTable('external_triggers')
    .set({
      last_fired_at: fire.at,
      last_run_id: fire.runId,
      ...(fire.bySecret ? { last_refusal: null } : {}),
    })
    .where('id', '=', id)
    .where('updated_at', '=', updatedAt)
    .executeTakeFirst()
  return noted.numUpdatedRows > 0n
}

export async function noteRefusal(db: Queryable, id: string, reason: string): Promise<void> {
  await db
    .updateTable('external_triggers')
    .set({ last_refusal: reason })
    .where('id', '=', id)
    .where('last_refusal', 'is distinct from', reason)
    .execute()
}

/** External triggers at and below these team paths. */
export function searchExternalTriggers(
  db: Queryable,
  prefixes: readonly string[],
  wish: TextWish,
): Promise<FoundByText[]> {
  const where = withinPrefixes('team_path', prefixes)
  return findByText(db, { table: 'external_triggers', where, detail: sql`pipeline`, isLowerCase: true }, wish)
}

/** Those of all teams that start these pipelines, in which scopes; those that are disabled as well. */
export async function listStarting(
  db: Queryable,
  pipelines: readonly string[],
  most: number,
): Promise<RowOf<'external_triggers', 'pipeline' | 'scope' | 'team_path'>[]> {
  if (pipelines.length === 0) return []
  const rows = await db
    .selectFrom('external_triggers')
    .select(['pipeline', 'scope', 'team_path'])
    .distinct()
    .where('pipeline', 'in', [...pipelines])
    .limit(most)
    .execute()
  return rows.map(toCamel)
}

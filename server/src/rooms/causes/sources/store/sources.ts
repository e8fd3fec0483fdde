import type { ExpressionBuilder, Selectable } from 'kysely'
import { type DB, type Queryable, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import type { Source } from '../rules/index.ts'

export async function listAllSources(db: Queryable): Promise<Source[]> {
  const rows = await db.selectFrom('webhook_sources').selectAll().execute()
  return rows.map(toSource)
}

/** Raised in the transaction of each change of a source or of a stored secret. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('sources_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

export interface SourceFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  /** Those that verify or read with it. */
  readonly credentialRef?: string | undefined
}

export async function listSources(db: Queryable, filter: SourceFilter): Promise<Source[]> {
  let query = db
    .selectFrom('webhook_sources')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('team_path', '=', filter.teamPath)
  if (filter.credentialRef !== undefined) query = query.where(uses(filter.credentialRef))
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toSource)
}

/** The names of sources that verify or read with it, a few of them if there are many. */
export async function listUsersOf(db: Queryable, credentialRef: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_sources')
    .select('name')
    .where(uses(credentialRef))
    .orderBy('name')
    .limit(10)
    .execute()
  return rows.map(({ name }) => name)
}

function uses(credentialRef: string) {
  return ({ eb, or }: ExpressionBuilder<DB, 'webhook_sources'>) =>
    or([eb('credential_ref', '=', credentialRef), eb('checkout_credential_ref', '=', credentialRef)])
}

export async function findSource(db: Queryable, id: string): Promise<Source | undefined> {
  const row = await db.selectFrom('webhook_sources').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSource(row)
}

/** Locked until the transaction ends, so that two writes of one source come one after the other. */
export async function lockSource(db: Queryable, id: string): Promise<Source | undefined> {
  const row = await db.selectFrom('webhook_sources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toSource(row)
}

export async function insertSource(db: Queryable, source: Source): Promise<void> {
  await db.insertInto('webhook_sources').values(toRow(source)).execute()
}

export async function updateSource(db: Queryable, source: Source): Promise<void> {
  await db.updateTable('webhook_sources').set(toRow(source)).where('id', '=', source.id).execute()
}

/** Leaves the deliveries, which are unreachable from then on: a job deletes them. */
export async function deleteSource(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('webhook_sources').where('id', '=', id).execute()
}

function toRow({ owner, ...source }: Source) {
  return { ...toSnake(source), owner_kind: owner.kind, owner_id: owner.id, owner_name: owner.name }
}

function toSource(row: Selectable<DB['webhook_sources']>): Source {
  const { owner_kind: kind, owner_id: id, owner_name: name, ...columns } = row
  return { ...toCamel(columns), owner: { kind, id, name } }
}

export async function isNameTaken(db: Queryable, name: string): Promise<boolean> {
  const found = await db.selectFrom('webhook_sources').select('id').where('name', '=', name).executeTakeFirst()
  return found !== undefined
}

import type { Selectable } from 'kysely'
import { type DB, type Queryable, withinPrefixes } from '#platform/database'
import type { AuthMode, Source } from '../rules/index.ts'

export async function listAllSources(db: Queryable): Promise<Source[]> {
  const rows = await db.selectFrom('webhook_sources').selectAll().execute()
  return rows.map(toSource)
}

/** Raised in the transaction of each change of a source or of a stored secret. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('sources_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

export interface SourceFilter {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  readonly before: string | undefined
  readonly limit: number
}

export async function listSources(db: Queryable, filter: SourceFilter): Promise<Source[]> {
  let query = db
    .selectFrom('webhook_sources')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('team_path', '=', filter.teamPath)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toSource)
}

/** The names of sources that verify or read with it, a few of them if there are many. */
export async function listUsersOf(db: Queryable, credentialRef: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_sources')
    .select('name')
    .where((eb) => eb.or([eb('credential_ref', '=', credentialRef), eb('checkout_credential_ref', '=', credentialRef)]))
    .orderBy('name')
    .limit(10)
    .execute()
  return rows.map(({ name }) => name)
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
  await db
    .insertInto('webhook_sources')
    .values({ ...columns(source), id: source.id, created_at: source.createdAt })
    .execute()
}

export async function updateSource(db: Queryable, source: Source): Promise<void> {
  await db.updateTable('webhook_sources').set(columns(source)).where('id', '=', source.id).execute()
}

/** Without its deliveries, which nobody can reach from then on: a job deletes them. */
export async function deleteSource(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('webhook_sources').where('id', '=', id).execute()
}

function columns(source: Source) {
  return {
    name: source.name,
    provider: source.provider,
    enabled: source.enabled,
    team_path: source.teamPath,
    visibility: source.visibility,
    auth_mode: source.authMode,
    credential_ref: source.credentialRef,
    base_url: source.baseUrl,
    checkout_credential_ref: source.checkoutCredentialRef,
    read_repository: source.readRepository,
    report_status: source.reportStatus,
    repository_allowlist: [...source.repositoryAllowlist],
    rate_limit_per_minute: source.ratePerMinute,
    acknowledge_unmapped: source.acknowledgeUnmapped,
    owner_kind: source.owner.kind,
    owner_id: source.owner.id,
    owner_name: source.owner.name,
    updated_at: source.updatedAt,
  }
}

function toSource(row: Selectable<DB['webhook_sources']>): Source {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    enabled: row.enabled,
    teamPath: row.team_path,
    visibility: row.visibility === 'shared' ? 'shared' : 'private',
    authMode: toAuthMode(row.auth_mode),
    credentialRef: row.credential_ref,
    baseUrl: row.base_url,
    checkoutCredentialRef: row.checkout_credential_ref,
    readRepository: row.read_repository,
    reportStatus: row.report_status,
    repositoryAllowlist: row.repository_allowlist,
    ratePerMinute: row.rate_limit_per_minute,
    acknowledgeUnmapped: row.acknowledge_unmapped,
    owner: { kind: row.owner_kind, id: row.owner_id, name: row.owner_name },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toAuthMode(text: string): AuthMode {
  return text === 'token' || text === 'basic' ? text : 'signature'
}

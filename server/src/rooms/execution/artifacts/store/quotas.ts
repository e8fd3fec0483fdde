import { sql } from 'kysely'
import { type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'

const COLUMNS = ['team_path', 'artifact_bytes', 'cache_bytes'] as const

export type QuotaRow = RowOf<'storage_quotas', (typeof COLUMNS)[number]>

/** The rows of these teams. */
export async function listQuotas(db: Queryable, teamPaths: readonly string[]): Promise<QuotaRow[]> {
  if (teamPaths.length === 0) return []
  const rows = await db
    .selectFrom('storage_quotas')
    .select(COLUMNS)
    .where('team_path', 'in', [...teamPaths])
    .execute()
  return rows.map(toCamel)
}

export async function writeQuota(db: Queryable, quota: QuotaRow, at: Date): Promise<void> {
  const { team_path, ...quotas } = toSnake(quota)
  const values = { ...quotas, updated_at: at }
  await db
    .insertInto('storage_quotas')
    .values({ team_path, ...values })
    .onConflict((conflict) => conflict.column('team_path').doUpdateSet(values))
    .execute()
}

/** Until the transaction ends nobody else stores something of this team: so that two do not fill one last place. */
export async function lockTeam(tx: Tx, teamPath: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`artifacts:${teamPath}`}, 0))`.execute(tx)
}

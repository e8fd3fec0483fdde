import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

export interface QuotaRow {
  readonly teamPath: string
  readonly artifactBytes: number | null
  readonly cacheBytes: number | null
}

/** The rows of these teams. */
export async function listQuotas(db: Queryable, teamPaths: readonly string[]): Promise<QuotaRow[]> {
  if (teamPaths.length === 0) return []
  return db
    .selectFrom('storage_quotas')
    .select(['team_path as teamPath', 'artifact_bytes as artifactBytes', 'cache_bytes as cacheBytes'])
    .where('team_path', 'in', [...teamPaths])
    .execute()
}

export async function writeQuota(db: Queryable, quota: QuotaRow, at: Date): Promise<void> {
  const values = { artifact_bytes: quota.artifactBytes, cache_bytes: quota.cacheBytes, updated_at: at }
  await db
    .insertInto('storage_quotas')
    .values({ team_path: quota.teamPath, ...values })
    .onConflict((conflict) => conflict.column('team_path').doUpdateSet(values))
    .execute()
}

/** Until the transaction ends nobody else stores something of this team: so that two do not fill one last place. */
export async function lockTeam(tx: Tx, teamPath: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`artifacts:${teamPath}`}, 0))`.execute(tx)
}

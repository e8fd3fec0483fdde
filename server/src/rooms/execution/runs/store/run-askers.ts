import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

/** An account at a Git provider, by the provider's id of it. */
export interface RunAsker {
  readonly provider: string
  /** The provider's address for people. */
  readonly baseUrl: string
  readonly accountId: string
  /** The user to whom the account was linked when they asked; undefined: nobody knew them then. */
  readonly userId?: string | undefined
}

/** Notes who asked for runs that are started in the name of somebody else. */
export async function recordAskers(tx: Tx, runIds: readonly string[], asker: RunAsker): Promise<void> {
  if (runIds.length === 0) return
  const { provider, baseUrl, accountId, userId = null } = asker
  const account = { provider, base_url: baseUrl, account_id: accountId, user_id: userId }
  await tx
    .insertInto('run_askers')
    .values(runIds.map((runId) => ({ run_id: runId, ...account })))
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .execute()
}

/** Of each run whoever asked for it or for a run above it. By primary keys alone. */
export async function listAskers(
  db: Queryable,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RunAsker[]>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<Omit<RunAsker, 'userId'> & { runId: string; userId: string | null }>`
    with recursive above (run_id, id) as (
      select id, id from unnest(${runIds}::uuid[]) as wanted (id)
      union
      select above.run_id, runs.parent_run_id
      from above join runs on runs.id = above.id
      where runs.parent_run_id is not null
    )
    select above.run_id as "runId", provider, base_url as "baseUrl", account_id as "accountId",
      user_id as "userId"
    from above join run_askers on run_askers.run_id = above.id`.execute(db)
  const askers = rows.map(({ userId, ...row }) => ({ ...row, userId: userId ?? undefined }))
  return Map.groupBy(askers, ({ runId }) => runId)
}

import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

/** An account at a Git provider, by the provider's id of it. */
export interface RunAsker {
  readonly provider: string
  /** The provider's address for people. */
  readonly baseUrl: string
  readonly accountId: string
}

/** Notes who asked for runs that are started in the name of somebody else. */
export async function recordAskers(tx: Tx, runIds: readonly string[], asker: RunAsker): Promise<void> {
  if (runIds.length === 0) return
  const { provider, baseUrl, accountId } = asker
  await tx
    .insertInto('run_askers')
    .values(runIds.map((runId) => ({ run_id: runId, provider, base_url: baseUrl, account_id: accountId })))
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .execute()
}

/** Of each run whoever asked for it or for a run above it. By primary keys alone. */
export async function listAskers(
  db: Queryable,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RunAsker[]>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<RunAsker & { runId: string }>`
    with recursive above (run_id, id) as (
      select id, id from unnest(${runIds}::uuid[]) as wanted (id)
      union
      select above.run_id, runs.parent_run_id
      from above join runs on runs.id = above.id
      where runs.parent_run_id is not null
    )
    select above.run_id as "runId", provider, base_url as "baseUrl", account_id as "accountId"
    from above join run_askers on run_askers.run_id = above.id`.execute(db)
  return Map.groupBy(rows, ({ runId }) => runId)
}

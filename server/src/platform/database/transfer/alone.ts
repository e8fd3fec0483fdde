import { connectToStart } from '../connect.ts'
import { DatabaseRefused } from '../embedded/index.ts'
import { MIGRATION_LOCK } from '../migrate.ts'

/**
 * Keeps every control plane from beginning to work on this database, until `end`: a start waits at its migrations. Throws
 * DatabaseRefused while one works there.
 */
export async function holdAlone(url: string): Promise<{ end(): Promise<void> }> {
  const client = await connectToStart(url, 'signalbox move')
  const end = (): Promise<void> => client.end().catch(() => undefined)
  try {
    const locked = await client.query<{ had: boolean }>('select pg_try_advisory_lock($1) as had', [MIGRATION_LOCK])
    const { rows } = await client.query<{ address: string; sessions: number }>(
      `select coalesce(host(client_addr), 'this machine') as address, count(*)::integer as sessions from pg_stat_activity
       where datname = current_database() and application_name like 'signalbox%' and pid <> pg_backend_pid()
       group by 1 order by 1`,
    )
    if (locked.rows[0]?.had === true && rows.length === 0) return { end }
    const where = rows.map(({ address, sessions }) => `${address} (${sessions} sessions)`).join(', ')
    throw new DatabaseRefused(
      'database.in_use',
      `Control planes still work on the database, from ${where || 'somewhere'}: stop all of them first. Nothing was changed.`,
    )
  } catch (error) {
    await end()
    throw error
  }
}

import pg from 'pg'
import { DATABASE, SUPERUSER } from './make-cluster.ts'
import { DatabaseRefused } from './refused.ts'

/** Relations whose file is not there. Temporary ones of sessions that died have none. */
const MISSING = `select count(*) over () as count, oid::regclass::text as name from pg_class
  where relpersistence <> 't' and pg_relation_filepath(oid) is not null
    and (pg_stat_file(pg_relation_filepath(oid), true)).size is null
  order by oid desc limit 3`

/**
 * A copy may lack files. Tables that were empty at a clean stop have their files again by now; whether other tables
 * were empty is unknown. PostgreSQL would start and fail later, table by table; so it is refused here. Takes some 10
 * ms.
 */
export async function requireWhole(socketDir: string, cluster: string): Promise<void> {
  const client = new pg.Client({ host: socketDir, user: SUPERUSER, database: DATABASE })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ count: string; name: string }>(MISSING)
    const [first] = rows
    if (!first) return
    const names = rows.map(({ name }) => name).join(', ')
    throw new DatabaseRefused(
      'database.damaged',
      `The database in ${cluster} lacks the files of ${first.count} tables or indexes, such as ${names}: it is not a whole copy. Restore a backup that was made after a clean stop, or with empty files included. Nothing was changed.`,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** Such as 18.4. */
export async function readServerVersion(db: Queryable): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  return rows[0]?.version ?? null
}

import pg from 'pg'

export interface Outage {
  /** The database takes connections again. */
  end(): Promise<void>
}

/** Makes one database really unreachable: no new connection is let in, and every open one is cut. */
export async function startOutage(url: string): Promise<Outage> {
  const name = new URL(url).pathname.slice(1)
  const elsewhere = new URL(url)
  elsewhere.pathname = '/postgres'
  const administrate = async (...statements: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: elsewhere.href })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await administrate(
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  return { end: () => administrate(`alter database ${name} with allow_connections true`) }
}

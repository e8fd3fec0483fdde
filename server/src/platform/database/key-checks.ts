import pg from 'pg'

/** Fingerprints of the keys that sealed what this database holds, by key version. */
export type KeyChecks = ReadonlyMap<number, Buffer>

export function readKeyChecks(url: string): Promise<KeyChecks> {
  return withClient(url, readAll)
}

/**
 * Records the new keys and answers all recorded ones. Of two processes that record different keys of one version at
 * once, the first one wins, and both learn of it.
 */
export function recordKeyChecks(url: string, checks: KeyChecks): Promise<KeyChecks> {
  return withClient(url, async (client) => {
    for (const [version, fingerprint] of checks) {
      await client.query(
        'insert into key_checks (key_version, fingerprint) values ($1, $2) on conflict (key_version) do nothing',
        [version, fingerprint],
      )
    }
    return readAll(client)
  })
}

/** Replaces the key checks: secrets sealed by older keys are given up. */
export function replaceKeyChecks(url: string, checks: KeyChecks): Promise<void> {
  return withClient(url, async (client) => {
    await client.query('begin')
    await client.query('delete from key_checks')
    for (const [version, fingerprint] of checks) {
      await client.query('insert into key_checks (key_version, fingerprint) values ($1, $2)', [version, fingerprint])
    }
    await client.query('commit')
  })
}

async function readAll(client: pg.Client): Promise<KeyChecks> {
  const { rows } = await client.query<{ key_version: string; fingerprint: Buffer }>(
    'select key_version, fingerprint from key_checks',
  )
  return new Map(rows.map((row) => [Number(row.key_version), row.fingerprint]))
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'signalbox keys' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

import pg from 'pg'
import type { AppliedMigration } from '../../server/src/platform/database/migrate.ts'

/** Of the dumps, whose secrets are sealed with it. Only tests use them. */
export const SECRET_KEY = '5e'.repeat(32)

/** The content of a release's database: SQL text that `loadDump` reads. */
export interface Dump {
  /** The migrations of that release, with the digests of their files. */
  readonly migrations: readonly AppliedMigration[]
  /** Deletes and inserts, for a database at these migrations. */
  readonly sql: string
}

const MIGRATION = /^-- migration (\S+) ([0-9a-f]{64})$/gm

export function readDump(text: string): Dump {
  const migrations = [...text.matchAll(MIGRATION)].map(([, name = '', checksum = '']) => ({ name, checksum }))
  return { migrations, sql: text }
}

/** Tables of the product with their own rows: of a table that is kept by day the whole. */
const TABLES = `
  select relname as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    (select string_agg(format('quote_nullable(%I::text)', attname), ' || '', '' || ' order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as texts
  from pg_class
  where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
    and relname <> 'schema_migrations'
  order by relname`

interface Table {
  readonly name: string
  readonly columns: string
  readonly texts: string
}

/** The number of rows of each table. */
export async function countRows(url: string): Promise<ReadonlyMap<string, number>> {
  return await connected(url, async (client) => {
    const counts = new Map<string, number>()
    for (const { name } of (await client.query<Table>(TABLES)).rows) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${name}`)
      counts.set(name, rows[0]?.count ?? 0)
    }
    return counts
  })
}

/** Writes all rows as SQL. Triggers and foreign keys are off during loading: the rows are their own output. */
export async function makeDump(url: string, version: string): Promise<string> {
  return await connected(url, async (client) => {
    const applied = await client.query<AppliedMigration>('select name, checksum from schema_migrations order by name')
    const lines = [
      `-- The rows of a database of version ${version}. Made by e2e/upgrade/make-dump.ts; never changed.`,
      ...applied.rows.map(({ name, checksum }) => `-- migration ${name} ${checksum}`),
      'begin;',
      'set local session_replication_role = replica;',
      "set local search_path = 'public';",
    ]
    for (const { name, columns, texts } of (await client.query<Table>(TABLES)).rows) {
      const { rows } = await client.query<{ row: string }>(`select ${texts} as row from ${name} order by 1`)
      lines.push('', `delete from ${name};`)
      lines.push(...rows.map(({ row }) => `insert into ${name} (${columns}) values (${row});`))
    }
    const { rows } = await client.query<{ set: string }>(
      `select format('select setval(%L, %s);', sequencename, last_value) as set from pg_sequences
       where schemaname = 'public' and last_value is not null order by 1`,
    )
    return `${[...lines, '', ...rows.map(({ set }) => set), 'commit;'].join('\n')}\n`
  })
}

/** Fills a database that is at the migrations of the dump. */
export async function loadDump(url: string, { sql }: Dump): Promise<void> {
  await connected(url, (client) => client.query(sql))
}

export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

import type { Writable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connectToStart } from '../connect.ts'
import { DatabaseRefused } from '../embedded/index.ts'
import { migrate } from '../migrate.ts'
import { type Catalog, quoteColumns, quoteName, readCatalog, type StoredTable } from './catalog.ts'
import { markUnfinished, removeMark, requireEmpty } from './unfinished.ts'

/** Where the rows come from: a backup, or a snapshot of another database. */
export interface RowSource extends Catalog {
  /** Writes the rows in COPY's text format, and answers how many there should be. */
  copyRows(table: StoredTable, into: Writable): Promise<number>
}

export interface LoadOptions {
  /** Schemas besides the product's own. */
  readonly schemas: readonly string[]
  /** Makes those, once the product's own is there. */
  readonly makeSchemas: () => Promise<void>
  /** The last step before everything becomes valid at once; an error in it makes nothing valid. */
  readonly beforeCommit: () => Promise<void>
}

/**
 * Fills an empty database: tables by the migrations that the source has, rows in one transaction, each table counted
 * against its source. A database that did not get so far refuses every start. Answers the rows of each table.
 */
export async function loadDatabase(
  url: string,
  source: RowSource,
  options: LoadOptions,
): Promise<ReadonlyMap<string, number>> {
  const client = await connectToStart(url, 'signalbox restore')
  try {
    await client.query('set idle_in_transaction_session_timeout = 0; set statement_timeout = 0')
    await requireEmpty(client, options.schemas)
    await markUnfinished(client)
    await migrate(url, { exactly: source.migrations })
    await options.makeSchemas()
    await client.query('begin')
    const counts = await loadRows(client, source, options.schemas)
    await options.beforeCommit()
    await removeMark(client)
    await client.query('commit')
    await client.query('analyze')
    return counts
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function loadRows(
  client: pg.Client,
  source: RowSource,
  schemas: readonly string[],
): Promise<Map<string, number>> {
  await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'; set local client_encoding = 'UTF8'`)
  await makeDays(client, source.tables)
  const { tables } = await readCatalog(client, schemas, [])
  requireColumns(source.tables, tables)
  const restoreForeignKeys = await dropForeignKeys(client, schemas)
  const enableTriggers = await disableTriggers(client, schemas)
  // The migrations fill some tables; what the source says of those counts.
  const names = source.tables.map(({ name }) => quoteName(name))
  await client.query(`truncate ${names.join(', ')}`)
  const counts = new Map<string, number>()
  for (const table of source.tables) counts.set(table.name, await loadTable(client, source, table))
  for (const { name, value } of source.sequences) await client.query('select setval($1, $2)', [quoteName(name), value])
  await enableTriggers()
  // Foreign keys check every row once more.
  await restoreForeignKeys()
  return counts
}

async function loadTable(client: pg.Client, source: RowSource, table: StoredTable): Promise<number> {
  const name = quoteName(table.name)
  const expected = await source.copyRows(
    table,
    client.query(copyFrom(`copy ${name} (${quoteColumns(table)}) from stdin`)),
  )
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${name}`)
  const found = Number(rows[0]?.count)
  if (found !== expected) throw new Error(`The table ${table.name} has ${found} rows where ${expected} were meant.`)
  return found
}

/** The migrations make a table by day with the days of then; the rows may be of others. */
async function makeDays(client: pg.Client, tables: readonly StoredTable[]): Promise<void> {
  for (const { name, dayOf } of tables) {
    if (dayOf !== undefined) await client.query('select ensure_day_partition($1, $2)', [dayOf, name.slice(-8)])
  }
}

function requireColumns(wanted: readonly StoredTable[], made: readonly StoredTable[]): void {
  const columns = new Map(made.map((table) => [table.name, new Set(table.columns)]))
  for (const { name, columns: needed } of wanted) {
    const missing = needed.find((column) => columns.get(name)?.has(column) !== true)
    if (missing === undefined && columns.has(name)) continue
    const what = columns.has(name) ? `the column ${missing} of the table ${name}` : `the table ${name}`
    throw new DatabaseRefused(
      'database.restore_unfinished',
      `This version of Signalbox does not make ${what}: restore with the version that made the backup.`,
    )
  }
}

/** Rows may come in any order, and no list of rows to be looked at grows in memory. */
async function dropForeignKeys(client: pg.Client, schemas: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; place: string; definition: string }>(
    `select conname as name, conrelid::regclass::text as place, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint join pg_namespace as space on space.oid = connamespace
     where contype = 'f' and conparentid = 0 and (nspname = current_schema() or nspname = any($1))`,
    [schemas],
  )
  for (const { name, place } of rows) {
    await client.query(`alter table ${place} drop constraint ${pg.escapeIdentifier(name)}`)
  }
  return async () => {
    for (const { name, place, definition } of rows) {
      await client.query(`alter table ${place} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
    }
  }
}

/** Loaded rows are no changes: no listener is told of them. */
async function disableTriggers(client: pg.Client, schemas: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ place: string }>(
    `select distinct tgrelid::regclass::text as place
     from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_namespace as space on space.oid = relnamespace
     where not tgisinternal and tgparentid = 0 and (nspname = current_schema() or nspname = any($1))`,
    [schemas],
  )
  for (const { place } of rows) await client.query(`alter table ${place} disable trigger user`)
  return async () => {
    for (const { place } of rows) await client.query(`alter table ${place} enable trigger user`)
  }
}

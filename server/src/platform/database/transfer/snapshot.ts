import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { connectToStart } from '../connect.ts'
import { isUndefinedTable } from '../errors.ts'
import { type Catalog, quoteColumns, quoteName, readCatalog, type StoredTable } from './catalog.ts'
import { keepObjects, releaseObjects } from './kept-objects.ts'

/** The database as it is at one instant, whatever is written meanwhile. */
export interface Snapshot extends Catalog {
  /** Writes the rows of a table in COPY's text format, and answers how many there are. One table at a time. */
  copyRows(table: StoredTable, into: Writable): Promise<number>
  /** From now on the database need not keep old rows; objects stay until `close`. */
  endRows(): Promise<void>
  /** Throws where objects may have been deleted since the snapshot was opened: the connection was lost meanwhile. */
  close(): Promise<void>
  /** Gives the connection back, whatever state it is in. */
  abandon(): Promise<void>
}

export interface SnapshotOptions {
  readonly schemas: readonly string[]
  readonly leaveOut: readonly string[]
}

/** A table may go between the look at the catalog and the lock on it: partitions of days do. */
const TRIES = 5

/** No process deletes objects of this snapshot until it is closed. */
export async function openSnapshot(url: string, options: SnapshotOptions): Promise<Snapshot> {
  const client = await connectToStart(url, 'signalbox backup')
  const abandon = (): Promise<void> => client.end().catch(() => undefined)
  try {
    await client.query('set idle_in_transaction_session_timeout = 0; set statement_timeout = 0')
    // This comes before the snapshot, which then names no object that was taken for deletion.
    await keepObjects(client)
    const catalog = await beginPatiently(client, options)
    return {
      ...catalog,
      async copyRows(table, into) {
        const rows = client.query(copyTo(`copy ${quoteName(table.name)} (${quoteColumns(table)}) to stdout`))
        await pipeline(rows, into)
        return rows.rowCount
      },
      endRows: async () => void (await client.query('commit')),
      async close() {
        await releaseObjects(client)
        await client.end()
      },
      abandon,
    }
  } catch (error) {
    await abandon()
    throw error
  }
}

async function beginPatiently(client: pg.Client, options: SnapshotOptions): Promise<Catalog> {
  for (let tries = 1; ; tries += 1) {
    await client.query('begin transaction isolation level repeatable read, read only')
    try {
      // COPY writes times and numbers as these say: one form, whatever the server's own settings are.
      await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
        set local extra_float_digits = 1; set local client_encoding = 'UTF8'; set local bytea_output = 'hex'`)
      const catalog = await readCatalog(client, options.schemas, options.leaveOut)
      const names = catalog.tables.map(({ name }) => quoteName(name))
      await client.query(`lock table ${names.join(', ')} in access share mode`)
      return catalog
    } catch (error) {
      await client.query('rollback')
      if (tries === TRIES || !isUndefinedTable(error)) throw error
    }
  }
}

import type pg from 'pg'
import { connectToStart } from '../connect.ts'
import { DatabaseRefused } from '../embedded/index.ts'

/** The table is there from before the first row is written until the transaction that writes the last one. */
const MARK = 'restore_unfinished'

/** Throws DatabaseRefused where the database holds anything. A restore never overwrites anything. */
export async function requireEmpty(client: pg.Client, schemas: readonly string[]): Promise<void> {
  await refuseUnfinished(client)
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class join pg_namespace as space on space.oid = relnamespace
     where nspname = current_schema() and relkind in ('r', 'p', 'v', 'm', 'f')
     union all select nspname from pg_namespace where nspname = any($1) limit 1`,
    [schemas],
  )
  const [first] = rows
  if (first) {
    throw new DatabaseRefused(
      'database.not_empty',
      `The database is not empty, it has ${first.name}: name a new database (create database …). Nothing was changed.`,
    )
  }
}

export async function markUnfinished(client: pg.Client): Promise<void> {
  await client.query(`create table ${MARK} (began_at timestamptz not null default now())`)
}

export async function removeMark(client: pg.Client): Promise<void> {
  await client.query(`drop table ${MARK}`)
}

/** Throws DatabaseRefused where a restore began and did not end. */
export async function refuseUnfinished(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ marked: boolean }>('select to_regclass($1) is not null as marked', [MARK])
  if (rows[0]?.marked !== true) return
  throw new DatabaseRefused(
    'database.restore_unfinished',
    'A restore into this database did not end, so it is no whole one: drop the database, make it anew, and restore again.',
  )
}

/** Like `requireEmpty`, before anything is begun. */
export async function requireEmptyDatabase(url: string, schemas: readonly string[]): Promise<void> {
  const client = await connectToStart(url, 'signalbox restore')
  try {
    await requireEmpty(client, schemas)
  } finally {
    await client.end().catch(() => undefined)
  }
}

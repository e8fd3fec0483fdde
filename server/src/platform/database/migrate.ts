import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { connectToStart } from './connect.ts'
import { refuseUnfinished } from './transfer/unfinished.ts'

/** The database holds migrations that this program does not know, or others than it knows. The start stops. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
  readonly code = 'database.migration_refused'
}

/** A migration as a database remembers it. */
export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
}

interface Migration extends AppliedMigration {
  readonly sql: string
}

export interface MigrateOptions {
  /** Where the migrations lie; default: ours. */
  readonly directory?: string
  /** Of a database whose rows are to come in: the tables are made as they are there, no newer. */
  readonly exactly?: readonly AppliedMigration[]
}

// Any number that no other program on the same database is likely to use for an advisory lock.
export const MIGRATION_LOCK = 7_264_510_533

export const MIGRATIONS_DIR = join(import.meta.dirname, '../../../migrations')

/**
 * Brings the database up to this program's migrations, in the order of their names. Twenty processes may call it at
 * once: one works, the others wait. Each migration and its version row are one transaction. Answers the names that were
 * applied now. Throws MigrationRefused on a database that is ahead or was changed, and DatabaseRefused on an unusable
 * one.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { directory = MIGRATIONS_DIR, exactly } = options
  const known = await readMigrations(directory)
  if (exactly) refuseUnknown(known, exactly)
  const client = await connectToStart(url, 'signalbox migrate')
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    if (!exactly) await refuseUnfinished(client)
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    )
    const applied = await client.query<AppliedMigration>('select name, checksum from schema_migrations order by name')
    refuseUnknown(known, applied.rows)
    const done = new Set(applied.rows.map((row) => row.name))
    const wanted = exactly && new Set(exactly.map((migration) => migration.name))
    const missing = known.filter(({ name }) => !done.has(name) && (!wanted || wanted.has(name)))
    for (const migration of missing) await apply(client, migration)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}

function refuseUnknown(known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const row of applied) {
    const migration = byName.get(row.name)
    if (!migration) {
      throw new MigrationRefused(
        `The database is ahead of this program: it has the migration ${row.name}. Start the version that made it, or a newer one.`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationRefused(
        `The migration ${row.name} was changed after it was applied to this database. Restore the file, or start on an empty database.`,
      )
    }
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (file) => {
      const sql = await readFile(join(directory, file), 'utf8')
      return { name: file.slice(0, -4), sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

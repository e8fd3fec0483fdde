import pg from 'pg'
import type { AppliedMigration } from '../migrate.ts'

/** A table with its rows: one of the product's own schema, or `<schema>.<table>` of another schema. */
export interface StoredTable {
  readonly name: string
  /** Without computed columns. */
  readonly columns: readonly string[]
  /** For the partition of a day: the table that it is a part of. */
  readonly dayOf?: string
}

export interface StoredSequence {
  readonly name: string
  /** The last number that was given. */
  readonly value: string
}

/** The parts of a database besides rows. */
export interface Catalog {
  readonly migrations: readonly AppliedMigration[]
  readonly tables: readonly StoredTable[]
  readonly sequences: readonly StoredSequence[]
}

/** The migrations fill these: of the product, and of the job queue. */
const MADE_BY_MIGRATIONS = ['schema_migrations', 'graphile_worker.migrations']

const TABLES = `
  select case when space.nspname = current_schema() then '' else space.nspname || '.' end || class.relname as name,
    (select json_agg(attname order by attnum) from pg_attribute
      where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    case when class.relname ~ '_[0-9]{8}$' then parent.relname end as day_of
  from pg_class as class
    join pg_namespace as space on space.oid = class.relnamespace
    left join pg_inherits on inhrelid = class.oid
    left join pg_class as parent on parent.oid = inhparent
  where class.relkind = 'r' and (space.nspname = current_schema() or space.nspname = any($1))
  order by 1`

const SEQUENCES = `
  select case when schemaname = current_schema() then '' else schemaname || '.' end || sequencename as name,
    last_value::text as value
  from pg_sequences
  where last_value is not null and (schemaname = current_schema() or schemaname = any($1)) order by 1`

/** All tables of the product's schema and of `schemas`, but for those that `leaveOut` names. */
export async function readCatalog(
  client: pg.Client,
  schemas: readonly string[],
  leaveOut: readonly string[],
): Promise<Catalog> {
  const migrations = await client.query<AppliedMigration>('select name, checksum from schema_migrations order by name')
  const found = await client.query<{ name: string; columns: string[]; day_of: string | null }>(TABLES, [schemas])
  const sequences = await client.query<StoredSequence>(SEQUENCES, [schemas])
  const tables = found.rows
    .filter(({ name }) => !MADE_BY_MIGRATIONS.includes(name) && !leaveOut.includes(name))
    .map(({ name, columns, day_of: dayOf }) => ({ name, columns, ...(dayOf === null ? {} : { dayOf }) }))
  return { migrations: migrations.rows, tables, sequences: sequences.rows }
}

/** A name of the catalog as a statement takes it. */
export function quoteName(name: string): string {
  return name.split('.').map(pg.escapeIdentifier).join('.')
}

export function quoteColumns({ columns }: StoredTable): string {
  return columns.map(pg.escapeIdentifier).join(', ')
}

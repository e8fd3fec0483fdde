import type { Selectable } from 'kysely'
import type { Camel } from './casing.ts'
import type { DB } from './generated/tables.ts'

/** A row as the code reads it, of a table and those of its columns that a store selects. */
export type RowOf<Table extends keyof DB, Column extends keyof DB[Table] = keyof DB[Table]> = Camel<
  Pick<Selectable<DB[Table]>, Column & keyof Selectable<DB[Table]>>
>

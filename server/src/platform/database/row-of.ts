import type { Selectable } from 'kysely'
import type { Camel } from './casing.ts'
import type { DB } from './generated/tables.ts'

/** A row of a table as the code reads it, with the columns that a store selects. */
export type RowOf<Table extends keyof DB, Column extends keyof DB[Table] = keyof DB[Table]> = Camel<
  Pick<Selectable<DB[Table]>, Column & keyof Selectable<DB[Table]>>
>

import type { Kysely, Transaction } from 'kysely'
import type { DB } from './generated/tables.ts'

/** The first argument of a store function: the pool or a transaction, so that a caller decides the border. */
export type Queryable = Kysely<DB>
export type Tx = Transaction<DB>

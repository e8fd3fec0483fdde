import type { Insertable } from 'kysely'
import type { DB, Statement } from '#platform/database'

/**
 * A row of `runs` as it is queued. Every row names the same columns, so that the statement is the same for all. A column
 * that is undefined is null in the table, or has its default.
 */
export type QueuedRow = {
  readonly [Column in keyof Insertable<DB['runs']>]?: Insertable<DB['runs']>[Column] | undefined
}

/** Most runs have these: they are left out of the document, of which PostgreSQL reads each byte. */
const DEFAULTS = {
  status: 'queued',
  untrusted: false,
  priority: 0,
  depth: 0,
  profiles: {},
  resources: {},
  sealed_variables: {},
}

/**
 * Inserts all rows in one statement and notifies every dispatcher once the transaction commits. Hundreds of runs of one
 * group of deliveries therefore cost one round trip. The document is text, so that its size is bounded by memory alone.
 */
export function insertQueued(rows: readonly QueuedRow[]): Statement {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  let text = texts.get(columns)
  if (text === undefined) {
    text = insertInto(columns)
    texts.set(columns, text)
  }
  return { text, values: [JSON.stringify(rows)] }
}

/** By columns: each text is made once. Made anew, it took 7 us more a delivery, half of them to look up its prepared name. */
const texts = new Map<string, string>()

function insertInto(named: string): string {
  const columns = [...new Set([...Object.keys(DEFAULTS), ...named.split(', ')])].toSorted().join(', ')
  return `
    with queued as (
      insert into runs (${columns})
      select ${columns}
      from json_populate_recordset(json_populate_record(null::runs, '${JSON.stringify(DEFAULTS)}'), $1::json)
      returning lane, withheld
    )
    select pg_notify('runs_queued', lane) from (select distinct lane from queued where withheld is null) as lanes`
}

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
 * Inserts all rows in one statement and notifies every dispatcher and open page once the transaction commits. Hundreds of runs of one
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
      returning id, team_path, lane, withheld
    )
    select pg_notify(channel, payload) from (
      select distinct 'runs_queued' as channel, lane as payload from queued where withheld is null
      union all
      -- Open pages. Several runs of a team are one notification, which names none.
      select 'runs_created', 'created ' || team_path || case when count(*) = 1 then ' ' || min(id::text) else '' end
      from queued group by team_path
      union all
      select 'approval_changed', 'created ' || id || ' fork' from queued where withheld = 'fork_approval'
    ) as told`
}

import { EventPullRequest } from '@signalbox/contracts/event'
import { sql } from 'kysely'
import { Compile } from 'typebox/compile'
import { type Queryable, type Statement, toSnake } from '#platform/database'
import type { KnownHead } from '../rules/index.ts'

export interface HeadRow {
  readonly sourceId: string
  readonly repository: string
  readonly number: number
  readonly headSha: string | null
  readonly ref: string | null
  readonly pullRequest: EventPullRequest
  readonly occurredAt: string | null
  readonly receivedAt: Date
}

/**
 * Deliveries come out of order: an earlier change does not replace a later one. One row for each pull request and
 * source.
 */
export function saveHeads(rows: readonly HeadRow[]): Statement {
  const given = rows.map((row) => ({ ...toSnake(row), repository: row.repository.toLowerCase() }))
  return { text: SAVE_HEADS, values: [JSON.stringify(given)] }
}

const COLUMNS = 'source_id, repository, number, head_sha, ref, pull_request, occurred_at, received_at'

const SAVE_HEADS = `
  insert into pull_request_heads as held (${COLUMNS})
  select ${COLUMNS} from json_populate_recordset(null::pull_request_heads, $1::json)
  order by source_id, repository, number
  on conflict (source_id, repository, number) do update
    set head_sha = excluded.head_sha, ref = excluded.ref, pull_request = excluded.pull_request,
      occurred_at = excluded.occurred_at, received_at = excluded.received_at
    where excluded.occurred_at is null or held.occurred_at is null or excluded.occurred_at >= held.occurred_at`

const checkPullRequest = Compile(EventPullRequest)

/** The head as a delivery of this source told it: other sources with a repository of that name do not count. */
export async function findHead(
  db: Queryable,
  sourceId: string,
  repository: string,
  number: number,
): Promise<KnownHead | undefined> {
  const row = await db
    .selectFrom('pull_request_heads')
    .select(['head_sha', 'ref', 'pull_request', 'occurred_at'])
    .where('source_id', '=', sourceId)
    .where('repository', '=', repository.toLowerCase())
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row || !checkPullRequest.Check(row.pull_request)) return undefined
  return {
    pullRequest: row.pull_request,
    ref: row.ref,
    headSha: row.head_sha,
    occurredAt: row.occurred_at?.toISOString() ?? null,
  }
}

/** At most `limit` at a time. Answers how many went. */
export async function dropHeads(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from pull_request_heads where (source_id, repository, number) in
      (select source_id, repository, number from pull_request_heads where received_at < ${before} limit ${limit})`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}

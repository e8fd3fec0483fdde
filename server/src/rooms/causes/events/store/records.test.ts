import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { createTestDatabase, testCaller } from '#platform/testing'
import { listEvents } from './records.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const SOURCE = randomUUID()

test('of 30,000 events those of a commit or a rare branch are found without a look at the others', async () => {
  await sql`
    insert into trigger_events (id, source_id, poster_kind, poster_id, poster_name, team_path, trace, kind, action,
      provider, repository, ref, commit_sha, received_at, result)
    select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, case when n % 2 = 0 then ${SOURCE}::uuid end,
      posted.kind, posted.id, posted.id, posted.team, posted.trace, 'push', 'updated', 'github', 'acme/shop',
      case when n between 400 and 409 then 'refs/heads/rare' else 'refs/heads/main' end, md5(n::text), now(), 'ignored'
    from generate_series(1, 30000) as n cross join lateral (
      select case when n % 2 = 1 then 'user' end as kind, case when n % 2 = 1 then 'u' end as id,
        case when n % 2 = 1 then 'acme/web' end as team, case when n % 2 = 1 then '{}'::json end as trace
    ) as posted`.execute(db)
  await sql`analyze trigger_events`.execute(db)
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const scope = {
    sourceIds: [SOURCE],
    posted: { by: testCaller({}), prefixes: ['acme'] },
    before: undefined,
    limit: 10,
  }
  const any = { kind: undefined, result: undefined, since: undefined, until: undefined }
  for (const [wish, count] of [
    [{ commit: md5('500') }, 1],
    [{ commit: md5('501').slice(0, 6) }, 1],
    [{ repository: 'ACME/shop', refs: ['refs/heads/rare', 'refs/tags/rare'] }, 10],
    [{ repository: 'acme/shop', refs: ['refs/heads/main'] }, 10],
    [{ repository: 'acme/shop', refs: ['refs/heads/none'] }, 0],
  ] as const) {
    const looked = await database.transaction(async (tx) => {
      const before = await countedSoFar(tx)
      const found = await listEvents(tx, { ...any, ...scope, repository: undefined, ...wish })
      assert.equal(found.length, count, JSON.stringify(wish))
      return (await countedSoFar(tx)) - before
    })
    assert.ok(looked < 1000, `${JSON.stringify(wish)}: looked at ${looked} rows`)
  }
})

/** The rows of all partitions that this session looked at. A row that a scan of an index fetches counts for the index. */
async function countedSoFar(tx: Tx): Promise<number> {
  const { rows } = await sql<{ looked: number }>`
    select sum(pg_stat_get_xact_tuples_returned(relid) + pg_stat_get_xact_tuples_fetched(relid) + (
      select coalesce(sum(pg_stat_get_xact_tuples_fetched(indexrelid)), 0) from pg_index where indrelid = relid
    )) as looked from pg_partition_tree('trigger_events')`.execute(tx)
  return Number(rows[0]?.looked)
}

import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { createTestDatabase } from '#platform/testing'
import { signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { listDeliveries } from './store/deliveries.ts'
import { aSource, type Called, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
await aSecret(causes.kit, db, { teamPath: 'acme/other', name: 'hook', value: SECRET })
await aTeam(db, 'elsewhere')
const who = {
  administrator: causes.admin,
  viewer: (await aMember(db, 'viewer', 'viewer', TEAM)).headers,
  above: (await aMember(db, 'above', 'viewer', 'acme')).headers,
  other: (await aMember(db, 'other', 'owner', 'acme/other')).headers,
  nobody: (await aMember(db, 'nobody', 'owner', 'elsewhere')).headers,
}
type Who = keyof typeof who

const sourceOf = async (fields: Readonly<Record<string, unknown>>) => {
  const created = await causes.call('POST', '/v1/git-webhook-sources', aSource(fields))
  assert.equal(created.status, 201, created.text)
  const id = String(created.body['id'])
  return { id, url: `/v1/git/webhooks/${id}` }
}
const first = await sourceOf({ name: 'first' })
const second = await sourceOf({ name: 'second' })
const ofOther = { team_path: 'acme/other', credential_ref: 'secret:acme/other/hook' }
const hidden = await sourceOf({ name: 'hidden', ...ofOther })
const SOURCES = [first, second, hidden]

const pushTo = async ({ url }: { readonly url: string }, deliveryId: string, name = 'acme/widgets') =>
  await deliver(causes, url, signPush({ secret: SECRET, deliveryId, repository: { full_name: name } }))
await pushTo(first, 'a1')
await pushTo(hidden, 'h1', 'acme/Hidden')
await pushTo(second, 'b1', 'acme/gadgets')
await pushTo(first, 'a2', 'foreign/things')
await pushTo(second, 'b2')
await pushTo(hidden, 'h2')
await deliver(
  causes,
  first.url,
  signDelivery({ action: 'created' }, { secret: SECRET, event: 'star', deliveryId: 'a3' }),
)
await pushTo(first, 'a1')

const ask = (query: string, as: Who = 'administrator'): Promise<Called> =>
  causes.call('GET', `/v1/deliveries${query}`, undefined, { headers: who[as] })

async function namesOf(query: string, as?: Who): Promise<unknown[]> {
  const called = await ask(query, as)
  assert.equal(called.status, 200, called.text)
  return Object.values(called.body).map((delivery) => Object(delivery)['delivery_id'])
}

describe('the list of the deliveries of all sources', () => {
  test('newest first, each with its source, in pages that keep the filter', async () => {
    assert.deepEqual(await namesOf(''), ['a1', 'a3', 'h2', 'b2', 'a2', 'b1', 'h1', 'a1'])
    const seen: unknown[] = []
    let query: string | undefined = '?limit=2&event_type=push'
    while (query !== undefined) {
      const page: Called = await ask(query)
      for (const { delivery_id: id, source_id: source } of Object.values(page.body) as Record<string, unknown>[]) {
        seen.push([id, SOURCES.findIndex((each) => each.id === source)])
      }
      query = /<\/v1\/deliveries([^>]+)>/.exec(String(page.headers['link']))?.[1]
    }
    const expected = [['a1', 0], ['h2', 2], ['b2', 1], ['a2', 0], ['b1', 1], ['h1', 2], ['a1', 0]] // biome-ignore format: one line
    assert.deepEqual(seen, expected)
  })

  test('narrowed by every filter, and by several at once', async () => {
    assert.deepEqual(await namesOf('?result=rejected&event_type=push'), ['a2'])
    assert.deepEqual(await namesOf('?event_type=star'), ['a3'])
    assert.deepEqual(await namesOf('?repository=ACME%2Fhidden'), ['h1'])
    assert.deepEqual(await namesOf('?repository=acme/gadgets&ref=main'), ['b1'])
    assert.deepEqual(await namesOf('?repository=acme/gadgets&ref=refs/heads/main&result=rejected'), [])
    assert.deepEqual(await namesOf('?repository=acme/gadgets&ref=refs/tags/main'), [])
    const sha = String(Object((await ask('?limit=1')).body[0])['commit_sha'])
    assert.equal(sha.length, 40)
    const ofCommit = await namesOf(`?commit_sha=${sha.slice(0, 4).toUpperCase()}`)
    assert.deepEqual(ofCommit, ['a1', 'h2', 'b2', 'a2', 'b1', 'h1', 'a1'])
    assert.deepEqual(await namesOf(`?commit_sha=${sha}&repository=acme/hidden`), ['h1'])
    assert.deepEqual(await namesOf(`?commit_sha=${'0'.repeat(40)}`), [])
    assert.deepEqual(await namesOf(`?source=${second.id}`), ['b2', 'b1'])
    assert.deepEqual(await namesOf(`?source=${second.id}&source=${hidden.id}&source=${randomUUID()}`), [
      'h2',
      'b2',
      'b1',
      'h1',
    ])
    assert.deepEqual(await namesOf(`?source=${randomUUID()}`), [])
    assert.deepEqual(await namesOf('?teamId=acme/other'), ['h2', 'h1'])
    assert.deepEqual((await namesOf('?teamId=acme')).length, 8)
    assert.deepEqual(await namesOf('?teamId=acme/oth'), [], 'a part of a name is no team')
    const since = String(Object((await ask('?limit=3')).body[2])['received_at'])
    const until = new Date(Date.parse(since) + 1).toISOString()
    assert.ok((await namesOf(`?since=${since}`)).includes('h2'))
    assert.ok((await namesOf(`?since=${since}&until=${until}`)).includes('h2'))
    assert.ok(!(await namesOf(`?until=${since}`)).includes('h2'))
  })

  test('holds what the lists of the visible sources hold, and nothing else', async () => {
    for (const as of Object.keys(who) as Who[]) {
      const ids: string[] = []
      for (const { id } of SOURCES) {
        const url = `/v1/git-webhook-sources/${id}/deliveries`
        const { status, body } = await causes.call('GET', url, undefined, { headers: who[as] })
        if (status === 200) ids.push(...Object.values(body).map((each) => String(Object(each)['id'])))
      }
      const all = await ask('', as)
      assert.deepEqual(
        Object.values(all.body).map((each) => Object(each)['id']),
        ids.sort().reverse(),
        as,
      )
    }
    assert.deepEqual(await namesOf(`?source=${hidden.id}`, 'viewer'), [])
    assert.deepEqual(await namesOf('?teamId=acme/other', 'viewer'), [])
    assert.deepEqual(await namesOf('', 'nobody'), [])
  })

  for (const query of [
    'source=x',
    'source=',
    'teamId=',
    'limit=501',
    'result=good',
    'until=soon',
    'cursor=1',
    'kind=push',
    'commit_sha=abc',
    'commit_sha=main',
    'ref=main',
    'repository=acme/widgets&ref=a..b',
  ]) {
    test(`?${query} is 400`, async () => {
      assert.equal((await ask(`?${query}`)).status, 400)
    })
  }
})

describe('a list of 100,000 deliveries', () => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const BUSY = randomUUID()
  const QUIET = randomUUID()

  test('costs its page, whichever filter is rare, and beside a busy source a quiet one', async () => {
    await sql`
      insert into deliveries (id, source_id, event_type, repository, ref, commit_sha, result, verification, status_code, reason, run_ids,
        trace, payload_bytes, received_at, duration_ms)
      select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
        case when n % 10000 = 0 then ${QUIET} else ${BUSY} end::uuid,
        case when n between 100 and 109 then 'rare' else 'push' end,
        case when n between 200 and 209 then 'acme/rare' else 'acme/shop' end,
        case when n between 400 and 409 then 'refs/heads/rare' else 'refs/heads/main' end, md5(n::text),
        case when n between 300 and 309 then 'rejected' else 'accepted' end, 'verified', 202, 'It matched.', '{}',
        '{}', 1, now(), 1
      from generate_series(1, 100000) as n`.execute(db)
    await testDatabase.database.transaction(async (tx) => {
      // Its sample is the whole table: a smaller one may hold none of the quiet source, which is then unknown.
      await sql`set local default_statistics_target = 1000`.execute(tx)
      await sql`analyze deliveries`.execute(tx)
    })
    const sourceIds = [QUIET, BUSY, ...Array.from({ length: 50 }, () => randomUUID())]
    for (const [filter, count] of [
      [{}, 50],
      [{ eventType: 'rare' }, 10],
      [{ repository: 'ACME/rare' }, 10],
      [{ result: 'rejected' }, 10],
      [{ result: 'rejected', eventType: 'push', repository: 'acme/shop' }, 10],
      [{ repository: 'acme/shop', refs: ['refs/heads/rare', 'refs/tags/rare'] }, 10],
      [{ repository: 'acme/shop', refs: ['refs/heads/main'], commit: md5('500') }, 1],
      [{ commit: md5('500').slice(0, 6) }, 1],
      [{ commit: 'fffffff0' }, 0],
      [{ result: 'duplicate' }, 0],
      [{ until: new Date(0) }, 0],
      [{ sourceIds: [QUIET] }, 10],
    ] as const) {
      const looked = await testDatabase.database.transaction(async (tx) => {
        const counted = await countedSoFar(tx)
        const listed = await listDeliveries(tx, { sourceIds, limit: 50, ...filter })
        assert.equal(listed.length, count, JSON.stringify(filter))
        return (await countedSoFar(tx)) - counted
      })
      assert.ok(looked < 1000, `${JSON.stringify(filter)}: looked at ${looked} rows`)
    }
  })

  /** The rows of all partitions that this session looked at. A row that a scan of an index fetches counts for the index. */
  async function countedSoFar(tx: Tx): Promise<number> {
    const { rows } = await sql<{ looked: number }>`
      select sum(pg_stat_get_xact_tuples_returned(relid) + pg_stat_get_xact_tuples_fetched(relid) + (
        select coalesce(sum(pg_stat_get_xact_tuples_fetched(indexrelid)), 0) from pg_index where indrelid = relid
      )) as looked from pg_partition_tree('deliveries')`.execute(tx)
    return Number(rows[0]?.looked)
  }
})

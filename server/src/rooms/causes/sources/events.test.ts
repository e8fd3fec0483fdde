import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import {
  aConnectedSource,
  aTrigger,
  type Called,
  deliver,
  openCauses,
  PIPELINE,
  SCOPE,
  SECRET,
  TEAM,
} from './testing.ts'

/** `GET /v1/events` and `GET /v1/events/{id}`: what became of events of each cause. */

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const operator = await aMember(db, 'operator', 'operator', TEAM)

type Headers = Readonly<Record<string, string>>

async function list(query = '', headers: Headers = {}): Promise<Record<string, unknown>[]> {
  const called = await causes.call('GET', `/v1/events${query}`, undefined, { headers })
  assert.equal(called.status, 200, called.text)
  return Object.values(called.body).map((event) => Object(event))
}

const show = (id: unknown, headers: Headers = {}): Promise<Called> =>
  causes.call('GET', `/v1/events/${String(id)}`, undefined, { headers })

const namesOf = async (query: string, headers: Headers = {}): Promise<unknown[]> =>
  (await list(query, headers)).map(({ repository }) => repository)

async function post(repository: string, more: object = {}, headers: Headers = {}): Promise<string> {
  const event = { kind: 'push', provider: 'github', repository: { full_name: repository }, branch: 'main', ...more }
  const { body, text } = await causes.call('POST', '/v1/git/events', event, { headers })
  assert.ok(body['event_id'], text)
  return String(body['event_id'])
}

const push = (fullName: string) =>
  signPush({ secret: SECRET, deliveryId: randomUUID(), repository: { full_name: fullName } })

const source = await aConnectedSource(causes, { repository_allowlist: ['acme/*', 'Other/*'] })
const unnamed = aTrigger({ name: 'posted', repositories: ['acme/posted'], branches: [] })
assert.equal((await causes.call('POST', '/v1/triggers', unnamed)).status, 201)
await deliver(causes, source.url, push('acme/widgets'))
await deliver(causes, source.url, push('Other/Things'))
const started = await post('acme/posted')
const ignored = await post('acme/nobody', { kind: 'tag', branch: null, tag: 'v1', ref: 'refs/tags/v1' })
const direct = await post('acme/direct', { pipeline: PIPELINE, scope: SCOPE }, operator.headers)

describe('the list of events', () => {
  test('has those of deliveries and posted ones, newest first', async () => {
    const events = await list()
    assert.deepEqual(
      events.map(({ repository, cause, result }) => [repository, cause, result]),
      [
        ['acme/direct', 'posted', 'accepted'],
        ['acme/nobody', 'posted', 'ignored'],
        ['acme/posted', 'posted', 'accepted'],
        ['Other/Things', 'delivery', 'ignored'],
        ['acme/widgets', 'delivery', 'accepted'],
      ],
    )
    assert.deepEqual(events[0]?.['posted_by'], { kind: 'user', id: operator.id, name: 'operator' })
    assert.deepEqual([events[4]?.['source_id'], events[4]?.['posted_by']], [source.id, null])
  })

  test('is narrowed by repository in whatever case, kind, result, cause and time', async () => {
    assert.deepEqual(await namesOf('?repository=OTHER%2Fthings'), ['Other/Things'])
    assert.deepEqual(await namesOf('?repository=ACME/posted'), ['acme/posted'])
    assert.deepEqual(await namesOf('?kind=tag'), ['acme/nobody'])
    assert.deepEqual(await namesOf('?repository=acme/Nobody&ref=v1'), ['acme/nobody'])
    assert.deepEqual(await namesOf('?repository=acme/nobody&ref=refs/heads/v1'), [])
    assert.deepEqual(await namesOf('?repository=acme/widgets&ref=main&kind=push'), ['acme/widgets'])
    const sha = String((await list('?repository=acme/widgets'))[0]?.['commit_sha'])
    assert.deepEqual(await namesOf(`?commit_sha=${sha.slice(0, 7)}`), ['Other/Things', 'acme/widgets'])
    assert.deepEqual(await namesOf(`?commit_sha=${sha}&repository=acme/widgets&ref=main`), ['acme/widgets'])
    assert.deepEqual(await namesOf(`?commit_sha=${sha}`, stranger), [])
    assert.deepEqual(await namesOf('?result=ignored'), ['acme/nobody', 'Other/Things'])
    assert.deepEqual(await namesOf('?cause=delivery'), ['Other/Things', 'acme/widgets'])
    assert.deepEqual(await namesOf('?cause=posted&result=accepted'), ['acme/direct', 'acme/posted'])
    assert.deepEqual(await namesOf('?since=2999-01-01T00:00:00Z'), [])
    assert.deepEqual(await namesOf('?until=2000-01-01T00:00:00Z'), [])
    assert.equal((await namesOf('?since=2000-01-01T00:00:00Z&until=2999-01-01T00:00:00Z')).length, 5)
  })

  test('is paged by a Link header that keeps the filter', async () => {
    const seen: unknown[] = []
    let next: string | undefined = '/v1/events?limit=1&result=accepted'
    while (next !== undefined) {
      const page: Called = await causes.call('GET', next)
      seen.push(...Object.values(page.body).map((event) => Object(event).repository))
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(seen, ['acme/direct', 'acme/posted', 'acme/widgets'])
  })

  for (const query of [
    'limit=0',
    'cursor=yesterday',
    'result=good',
    'kind=commit',
    'since=yesterday',
    'colour=red',
    'ref=main',
    'commit_sha=abc',
  ]) {
    test(`400 for ${query}`, async () => {
      assert.equal((await causes.call('GET', `/v1/events?${query}`)).status, 400)
    })
  }
})

describe('an event', () => {
  test('of a delivery has the trace that the record of its delivery has', async () => {
    const [event] = await list('?repository=acme/widgets')
    const { body } = await show(event?.['id'])
    const path = `/v1/git-webhook-sources/${source.id}/deliveries/${String(event?.['delivery_id'])}`
    const delivery = (await causes.call('GET', path)).body
    assert.deepEqual(body['trace'], Object(delivery['trace']).events[0])
    assert.deepEqual(body['run_ids'], delivery['run_ids'])
  })

  test('that was posted says which rules matched, and which runs it started', async () => {
    const { body } = await show(started)
    const [trigger] = Object(body['trace']).triggers
    assert.deepEqual([trigger.name, trigger.outcome], ['posted', 'started'])
    assert.deepEqual(body['run_ids'], [trigger.run_id])
  })

  test('that was ignored says so, and one that named its pipeline has its run', async () => {
    assert.deepEqual((await show(ignored)).body['run_ids'], [])
    const run = await db.selectFrom('runs').select('id').where('repository', '=', 'acme/direct').executeTakeFirst()
    assert.deepEqual((await show(direct)).body['run_ids'], [run?.id])
  })

  test('that matched but may start nothing is refused, and its answer names it', async () => {
    const event = { kind: 'push', provider: 'github', repository: { full_name: 'acme/posted' }, branch: 'main' }
    const { status, body } = await causes.call('POST', '/v1/git/events', event, { headers: viewer })
    assert.equal(status, 403)
    const id = /Its record is event ([0-9a-f-]+)/.exec(String(body['detail']))?.[1]
    const shown = (await show(id, viewer)).body
    assert.equal(shown['result'], 'refused')
    assert.equal(Object(shown['trace']).triggers[0].outcome, 'refused')
  })

  test('whose delivery is no longer kept has no trace', async () => {
    await deliver(causes, source.url, push('acme/forgotten'))
    const [event] = await list('?repository=acme/forgotten')
    await db.deleteFrom('deliveries').where('id', '=', String(event?.['delivery_id'])).execute()
    const { status, body } = await show(event?.['id'])
    assert.deepEqual([status, body['trace'], body['run_ids']], [200, null, []])
  })
})

describe('who may see what', () => {
  test('members of the team see events of its sources, and posted ones that started its runs', async () => {
    const seen = await namesOf('', viewer)
    assert.ok(seen.includes('acme/widgets') && seen.includes('acme/posted') && seen.includes('acme/direct'))
    assert.ok(!seen.includes('acme/nobody'), 'posted by somebody else, and it started nothing')
    assert.equal((await show(ignored, viewer)).status, 404)
    assert.equal((await show(started, viewer)).status, 200)
  })

  test('members of other teams see neither, in the words of an event that never was', async () => {
    assert.deepEqual(await list('', stranger), [])
    const absent = await show(randomUUID(), stranger)
    const [delivered] = await list('?repository=acme/widgets')
    for (const id of [started, ignored, direct, delivered?.['id']]) {
      const { status, body } = await show(id, stranger)
      assert.deepEqual([status, body['detail']], [404, absent.body['detail']])
    }
  })

  test('the poster sees their own, but of its trace no rule of other teams', async () => {
    const own = await post('acme/elsewhere', {}, stranger)
    assert.deepEqual(await namesOf('', stranger), ['acme/elsewhere'])
    assert.equal((await show(own, stranger)).status, 200)
    const wanted = { name: 'for reading', read_only: true }
    const limited = await causes.call('POST', '/v1/tokens', wanted, { headers: stranger })
    const reader = { authorization: `Bearer ${String(limited.body['token'])}` }
    await until(
      'the token',
      () => show(own, reader),
      ({ status }) => status === 404,
    )
    assert.deepEqual(await list('', reader), [])
    const event = { kind: 'push', provider: 'github', repository: { full_name: 'acme/posted' }, branch: 'main' }
    assert.equal((await causes.call('POST', '/v1/git/events', event, { headers: stranger })).status, 403)
    const [refused] = await list('?repository=acme/posted', stranger)
    const shown = (await show(refused?.['id'], stranger)).body
    assert.deepEqual(Object(shown['trace']).triggers, [])
    assert.doesNotMatch(JSON.stringify(shown), /acme\/web/)
  })

  test('a deleted source takes its events away', async () => {
    const other = await aConnectedSource(causes, { name: 'short-lived' }, { name: 'short' })
    await deliver(causes, other.url, push('acme/short-lived'))
    assert.equal((await namesOf('?repository=acme/short-lived')).length, 1)
    assert.equal((await causes.call('DELETE', `/v1/git-webhook-sources/${other.id}`)).status, 204)
    assert.deepEqual(await namesOf('?repository=acme/short-lived'), [])
  })

  test('401 without a token', async () => {
    for (const path of ['/v1/events', `/v1/events/${started}`]) {
      assert.equal((await causes.call('GET', path, undefined, { headers: { authorization: '' } })).status, 401)
    }
  })
})

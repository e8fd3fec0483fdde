import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createToken, readTokenKind } from '#platform/crypto'
import { Problem } from '#platform/problems'
import {
  createTestClock,
  createTestDatabase,
  createTestHttp,
  createTestKit,
  testAuthenticator,
  testCaller,
  until,
} from '#platform/testing'
import { audit } from '#rooms/foundation/audit'
import { teams } from '#rooms/foundation/teams'
import { aTeam } from '../../foundation/teams/testing.ts'
import { runners } from './index.ts'
import { findRunner } from './store/index.ts'
import { aRunner } from './testing.ts'

const { database } = await createTestDatabase()
const clock = createTestClock()
const kit = createTestKit(database, { clock })
const db = database.kysely
const auditing = await audit.open(kit, {})
const teaming = await teams.open(kit, { audit: auditing.door })
const { door, routes = [] } = await runners.open(kit, { audit: auditing.door, teams: teaming.door })
const http = await createTestHttp(
  [...routes, ...(auditing.routes ?? [])],
  testAuthenticator({
    admin: testCaller(),
    owner: testCaller({ acme: ['runner.read', 'runner.write'] }),
    viewer: testCaller({ acme: ['runner.read'] }),
    stranger: testCaller({ other: ['*'] }),
  }),
)
after(() => http.close(100))
for (const path of ['acme/web', 'other']) await aTeam(db, path)

type Body = Record<string, unknown>

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: Body,
  as = 'admin',
  ifMatch?: string,
) {
  const headers = { authorization: `Bearer ${as}`, ...(ifMatch ? { 'if-match': ifMatch } : {}) }
  const response = await http.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
  return { status: response.statusCode, headers: response.headers, body: response.body ? response.json() : undefined }
}

const invite = (more: Body = {}, as = 'admin') =>
  call('POST', '/v1/runners/enrollments', { team_path: 'acme', scopes: ['acme/**'], ...more }, as)
const enroll = (token: string, more: Partial<Parameters<typeof door.enroll>[0]> = {}) =>
  door.enroll({ token, name: 'box-1', capacity: 2, labels: ['arm64'], address: '127.0.0.1', ...more })
const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code
const streamOf = (runnerId: string, processId: string) => ({ runnerId, processId, since: clock.now() })
const hello = { version: '1.2.3', capacity: 3, labels: ['gpu'], executors: ['host'] }

describe('an enrolment', () => {
  test('gives a token once, with which one runner gets a credential of its own', async () => {
    const { status, headers, body } = await invite({ labels: ['big'] })
    assert.equal(status, 201)
    assert.equal(headers.location, `/v1/runners/enrollments/${body.id}`)
    assert.equal(readTokenKind(body.token), 'runner')
    assert.equal(body.runner_url, '127.0.0.1:8081')
    const { runnerId, credential } = await enroll(body.token)
    assert.notEqual(credential, body.token)
    const runner = await door.authenticate(db, credential, '127.0.0.1')
    assert.deepEqual([runner?.id, runner?.teamPath, runner?.scopes], [runnerId, 'acme', ['acme/**']])
    assert.deepEqual([runner?.labels, runner?.offeredLabels, runner?.capacity], [['big'], ['arm64'], 2])
    await assert.rejects(enroll(body.token), isProblem('runner.enrollment_refused'))
    assert.equal(await door.authenticate(db, body.token, '127.0.0.1'), undefined)
    const shown = await call('GET', `/v1/runners/enrollments/${body.id}`)
    assert.equal('token' in shown.body, false)
    assert.notEqual(shown.body.used_at, null)
    assert.equal((await call('DELETE', `/v1/runners/enrollments/${body.id}`)).body.code, 'runner.enrollment_used')
    const trail = await call('GET', `/v1/audit?resource=runner:${runnerId}`)
    assert.equal(trail.body[0].action, 'runner.enrolled')
    assert.equal(JSON.stringify((await call('GET', '/v1/audit')).body).includes('sbxr_'), false)
  })

  test('is good for one of two runners that come at the same time', async () => {
    const { body } = await invite()
    const tries = await Promise.allSettled([enroll(body.token), enroll(body.token), enroll(body.token)])
    assert.equal(tries.filter((result) => result.status === 'fulfilled').length, 1)
  })

  test('ends with its time, and when it is revoked', async () => {
    const late = await invite({ expires_at: new Date(clock.now().getTime() + 1000).toISOString() })
    await clock.advance(1000)
    await assert.rejects(enroll(late.body.token), /expired/)
    const { body } = await invite()
    assert.equal((await call('DELETE', `/v1/runners/enrollments/${body.id}`)).status, 204)
    assert.equal((await call('DELETE', `/v1/runners/enrollments/${body.id}`)).status, 404)
    await assert.rejects(enroll(body.token), /not known/)
  })

  test('refuses what is no token, without asking the database', async () => {
    const { token } = createToken('user')
    const texts = ['', 'x', token, 'sbxr_', `sbxr_${'0'.repeat(36)}`, '\0', '\ud800']
    const address = '192.0.2.1'
    for (const text of texts) {
      await assert.rejects(enroll(text, { address }), isProblem('runner.enrollment_refused'))
      assert.equal(await door.authenticate(db, text, address), undefined)
    }
    await assert.rejects(enroll(createToken('runner').token, { address }), /not known/)
  })

  test('refuses a runner that describes itself wrongly, and stays good', async () => {
    const { body } = await invite()
    const wrong = [
      { name: '' },
      { name: '../x' },
      { name: 'a\0b' },
      { name: 'x'.repeat(101) },
      { capacity: 0 },
      { capacity: 1.5 },
      { capacity: 10_001 },
      { capacity: Number.NaN },
      { labels: ['A'] },
      { labels: ['a\0'] },
      { labels: Array.from({ length: 33 }, (_, index) => `l${index}`) },
    ]
    for (const more of wrong) await assert.rejects(enroll(body.token, more), isProblem('runner.hello_refused'))
    await enroll(body.token, { labels: ['a', 'a'] })
  })

  test('is made by who may write runners there, for scopes of the team only', async () => {
    const past = new Date(clock.now().getTime() - 1).toISOString()
    const bad: readonly (readonly [string, Body])[] = [
      ['scopes.0', { scopes: ['**'] }],
      ['scopes.1', { scopes: ['acme/**', 'other/**'] }],
      ['scopes.0', { scopes: ['{acme,other}/**'] }],
      ['scopes.0', { scopes: ['acmes/**'] }],
      ['scopes.0', { scopes: ['acme/['] }],
      ['scopes', { scopes: ['!acme/web/**'] }],
      ['scopes', { scopes: [] }],
      ['labels.0', { labels: ['A B'] }],
      ['expires_at', { expires_at: past }],
      ['expires_at', { expires_at: '2999-01-01T00:00:00Z' }],
      ['expires_at', { expires_at: 'tomorrow' }],
      ['team_path', { team_path: 'nobody', scopes: ['nobody/**'] }],
      ['team_path', { team_path: '//' }],
      ['colour', { colour: 'red' }],
    ]
    for (const [field, more] of bad) {
      const { status, body } = await invite(more)
      assert.deepEqual([status, body.errors?.[0].field], [400, field], JSON.stringify(more))
    }
    assert.equal((await invite({}, 'nobody')).status, 401)
    assert.equal((await invite({}, 'viewer')).status, 403)
    assert.equal((await invite({ team_path: '/', scopes: ['**'] }, 'owner')).status, 403)
    assert.equal((await invite({ team_path: '/', scopes: ['**', '!acme/secret/**'] })).status, 201)
    const own = await invite({}, 'owner')
    assert.equal(own.status, 201)
    const url = `/v1/runners/enrollments/${own.body.id}`
    for (const as of ['viewer', 'stranger']) {
      assert.equal((await call('GET', url, undefined, as)).status, 404)
      assert.equal((await call('DELETE', url, undefined, as)).status, 404)
      assert.deepEqual((await call('GET', '/v1/runners/enrollments', undefined, as)).body, [])
    }
    const first = await call('GET', '/v1/runners/enrollments?limit=1', undefined, 'owner')
    const next = await call('GET', /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? '', undefined, 'owner')
    assert.notEqual(first.body[0].id, next.body[0].id)
  })
})

describe('guesses', () => {
  const guess = (address: string) => enroll(createToken('runner').token, { address })
  const isLimited = isProblem('runner.too_many_guesses')
  test('of one address are limited; others enrol, and what is good passes from there too', async () => {
    await clock.advance(3_600_000)
    const { body: invited } = await invite()
    const { body: beside } = await invite()
    for (let n = 0; n < 10; n++) await assert.rejects(guess('192.0.2.7'), isProblem('runner.enrollment_refused'))
    await assert.rejects(guess('192.0.2.7'), (error) => isLimited(error) && /again in \d+ s/.test(String(error)))
    await assert.rejects(enroll('junk', { address: '192.0.2.7' }), isLimited)
    await assert.rejects(guess('192.0.2.8'), isProblem('runner.enrollment_refused'))
    await enroll(invited.token, { address: '192.0.2.8' })
    await enroll(beside.token, { address: '192.0.2.7' })
    await clock.advance(60_000)
    await assert.rejects(guess('192.0.2.7'), isProblem('runner.enrollment_refused'))
  })

  test('of one network of IPv6 are those of one address', async () => {
    for (let n = 0; n < 10; n++) {
      await assert.rejects(guess(`2001:db8:1:2::${n + 1}`), isProblem('runner.enrollment_refused'))
    }
    await assert.rejects(guess('2001:db8:1:2:ffff::1'), isLimited)
    await assert.rejects(guess('2001:db8:1:3::1'), isProblem('runner.enrollment_refused'))
  })

  test('of many addresses are limited together, and a good enrolment passes beside them', async () => {
    await clock.advance(3_600_000)
    const { body } = await invite()
    const kinds = new Map<string, number>()
    for (let n = 0; n < 300; n++) {
      const error = await guess(`198.51.100.${n % 250}`).then(String, (reason) => reason)
      const kind = error instanceof Problem ? error.code : String(error)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    assert.equal(kinds.get('runner.enrollment_refused'), 100)
    assert.equal(kinds.get('runner.too_many_guesses'), 200)
    await clock.advance(1000)
    await enroll(body.token, { address: '203.0.113.1' })
  })

  test('of credentials are limited in the same way; a runner of that address still connects', async () => {
    const { credential } = await enroll((await invite()).body.token)
    const wrong = () => door.authenticate(db, createToken('runner').token, '192.0.2.9')
    for (let n = 0; n < 10; n++) assert.equal(await wrong(), undefined)
    await assert.rejects(wrong, isLimited)
    assert.ok(await door.authenticate(db, credential, '192.0.2.9'))
  })
})

describe('a runner', () => {
  test('is changed by an operator; what it says of itself stays apart', async () => {
    const { id } = await aRunner(db, { teamPath: 'acme', scopes: ['acme/**'] })
    const url = `/v1/runners/${id}`
    const read = await call('GET', url)
    const changed = await call(
      'PATCH',
      url,
      { ...read.body, enabled: false, labels: ['big'] },
      'owner',
      String(read.headers.etag),
    )
    assert.deepEqual([changed.status, changed.body.enabled, changed.body.labels], [200, false, ['big']])
    assert.equal(changed.body.draining, false)
    const stale = await call('PATCH', url, { draining: true }, 'owner', String(read.headers.etag))
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict'])
    const renamed = await call('PATCH', url, { name: 'builder', draining: true, scopes: ['acme/web/*'] })
    assert.deepEqual([renamed.body.name, renamed.body.draining, renamed.body.scopes], ['builder', true, ['acme/web/*']])
    const bad: readonly (readonly [string, Body])[] = [
      ['name', { name: 'a b' }],
      ['scopes.0', { scopes: ['other/**'] }],
      ['labels.0', { labels: [''] }],
      ['enabled', { enabled: 'no' }],
      ['colour', { colour: 1 }],
    ]
    for (const [field, body] of bad) {
      const refused = await call('PATCH', url, body)
      assert.deepEqual([refused.status, refused.body.errors[0].field], [400, field])
    }
  })

  test('that was removed is gone, and so is its credential', async () => {
    const { id, credential } = await aRunner(db)
    assert.equal((await door.authenticate(db, credential, '127.0.0.1'))?.id, id)
    assert.equal((await call('DELETE', `/v1/runners/${id}`, undefined, 'admin', '"1"')).status, 409)
    assert.equal((await call('DELETE', `/v1/runners/${id}`)).status, 204)
    assert.equal(await door.authenticate(db, credential, '127.0.0.1'), undefined)
    assert.equal(await door.setConnected(db, streamOf(id, kit.ids.next()), hello, false), undefined)
    assert.equal((await call('GET', `/v1/runners/${id}`)).status, 404)
    assert.equal((await call('PATCH', `/v1/runners/${id}`, {})).status, 404)
    assert.equal((await call('DELETE', `/v1/runners/${id}`)).status, 404)
    assert.ok((await door.list(db)).every((runner) => runner.id !== id))
  })

  test('is for those who may: 401, 403, 404; the list holds what the caller may see', async () => {
    const { id } = await aRunner(db, { teamPath: 'acme', scopes: ['acme/**'] })
    const platform = await aRunner(db)
    const url = `/v1/runners/${id}`
    assert.equal((await call('GET', url, undefined, 'nobody')).status, 401)
    assert.equal((await call('PATCH', url, {}, 'viewer')).status, 403)
    assert.equal((await call('DELETE', url, undefined, 'viewer')).status, 403)
    assert.equal((await call('GET', url, undefined, 'stranger')).status, 404)
    assert.equal((await call('GET', `/v1/runners/${platform.id}`, undefined, 'owner')).status, 404)
    const seen = await call('GET', '/v1/runners', undefined, 'viewer')
    assert.ok(seen.body.length > 0 && seen.body.every((runner: Body) => runner['team_path'] === 'acme'))
    assert.deepEqual((await call('GET', '/v1/runners', undefined, 'stranger')).body, [])
    assert.ok((await call('GET', '/v1/runners')).body.some((runner: Body) => runner['id'] === platform.id))
    assert.equal((await call('GET', '/v1/runners?team_path=acme&limit=1')).body.length, 1)
    for (const query of ['limit=0', 'cursor=x', 'colour=red', 'team_path=%2F']) {
      assert.equal((await call('GET', `/v1/runners?${query}`)).status, 400, query)
    }
    for (const path of ['%00', 'x', '..%2f', "1'--"])
      assert.equal((await call('GET', `/v1/runners/${path}`)).status, 400)
  })
})

describe('a connection', () => {
  const [here, there] = [kit.ids.next(), kit.ids.next()]
  const shown = async (id: string) => (await call('GET', `/v1/runners/${id}`)).body

  test('is told by what the runner says, kept by heartbeats, and ends with the lease at the latest', async () => {
    const { id: runnerId } = await aRunner(db)
    assert.deepEqual([(await shown(runnerId)).connected, (await shown(runnerId)).last_seen_at], [false, null])
    const stream = streamOf(runnerId, here)
    const connected = await door.setConnected(db, stream, hello, false)
    assert.deepEqual([connected?.capacity, connected?.offeredLabels, connected?.version], [3, ['gpu'], '1.2.3'])
    assert.equal((await shown(runnerId)).connected, true)
    for (let beat = 0; beat < 10; beat += 1) {
      await clock.advance(3000)
      await door.heartbeat(db, here, [runnerId])
    }
    assert.equal((await shown(runnerId)).connected, true)
    await clock.advance(15_001)
    assert.equal((await shown(runnerId)).connected, false)
    await door.heartbeat(db, here, [runnerId])
    assert.equal((await shown(runnerId)).connected, true)
    await door.setLeaving(db, stream)
    assert.equal((await shown(runnerId)).leaving, true)
    await door.setDisconnected(db, stream)
    assert.deepEqual([(await shown(runnerId)).connected, (await shown(runnerId)).leaving], [false, false])
  })

  test('belongs to the process with the newest stream: an older one can neither end nor prolong it', async () => {
    const { id: runnerId } = await aRunner(db)
    await door.setConnected(db, streamOf(runnerId, here), hello, false)
    await door.setConnected(db, streamOf(runnerId, there), hello, false)
    await door.setDisconnected(db, streamOf(runnerId, here))
    assert.equal((await findRunner(db, runnerId))?.connectedTo, there)
    const before = (await findRunner(db, runnerId))?.lastSeenAt
    await clock.advance(10_000)
    await door.heartbeat(db, here, [runnerId])
    assert.deepEqual((await findRunner(db, runnerId))?.lastSeenAt, before)
  })

  test('belongs to the newest stream of its process, too: the end of an older one may be noted later', async () => {
    const { id: runnerId } = await aRunner(db)
    const older = streamOf(runnerId, here)
    await door.setConnected(db, older, hello, false)
    await clock.advance(1)
    await door.setConnected(db, streamOf(runnerId, here), hello, false)
    await door.setLeaving(db, older)
    await door.setDisconnected(db, older)
    assert.deepEqual([(await shown(runnerId)).connected, (await shown(runnerId)).leaving], [true, false])
  })

  test('writes at most once in a quarter of the lease', async () => {
    const { id: runnerId } = await aRunner(db)
    await door.setConnected(db, streamOf(runnerId, here), hello, false)
    const seen = new Set<number | undefined>()
    for (let beat = 0; beat < 15; beat += 1) {
      await clock.advance(1000)
      await door.heartbeat(db, here, [runnerId])
      seen.add((await findRunner(db, runnerId))?.lastSeenAt?.getTime())
    }
    assert.equal(seen.size, 4)
  })

  test('of a runner that describes itself wrongly is refused', async () => {
    const { id: runnerId } = await aRunner(db)
    for (const more of [{ capacity: 0 }, { version: 'a\0' }, { executors: ['HOST'] }, { labels: ['\ud800'] }]) {
      const wrong = door.setConnected(db, streamOf(runnerId, here), { ...hello, ...more }, false)
      await assert.rejects(wrong, isProblem('runner.hello_refused'))
    }
  })

  test('is no change that is told; what an operator does is', async () => {
    let told = 0
    const end = database.notifications.listen('runners_changed', () => void (told += 1))
    await database.notifications.ready()
    const { id: runnerId } = await aRunner(db)
    await until(
      'the new runner',
      () => told,
      (count) => count >= 2,
    )
    told = 0
    await door.setConnected(db, streamOf(runnerId, here), hello, false)
    await clock.advance(10_000)
    await door.heartbeat(db, here, [runnerId])
    await call('PATCH', `/v1/runners/${runnerId}`, { enabled: false })
    await until(
      'the change',
      () => told,
      (count) => count === 1,
    )
    end()
  })

  test('makes the runner eligible while it lasts', async () => {
    const { id: runnerId } = await aRunner(db, {
      name: 'eligible',
      teamPath: 'acme',
      scopes: ['acme/**', '!acme/web/secret'],
    })
    const judged = async (scope: string, running = 0) => {
      const runner = await findRunner(db, runnerId)
      assert.ok(runner)
      return door.judge({ scope, requirement: { executor: 'host', labels: ['gpu'] } }, [door.stateOf(runner, running)])
    }
    assert.match(String((await judged('acme/web/production')).reason), /has the label gpu/)
    await door.setConnected(db, streamOf(runnerId, here), hello, false)
    assert.deepEqual((await judged('acme/web/production')).eligible, [runnerId])
    assert.match(String((await judged('acme/web/secret')).reason), /^No runner serves/)
    assert.match(String((await judged('other/production')).reason), /^No runner serves/)
    assert.match(String((await judged('acme/production', 3)).reason), /eligible, has no free slot/)
    await clock.advance(20_000)
    assert.match(String((await judged('acme/production')).reason), /is unreachable since/)
  })
})

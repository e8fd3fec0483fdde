import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, afterEach, describe, test } from 'node:test'
import { findForge } from '#adapters/forges'
import type { FailPoint } from '#platform/fail-points'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { type SignedDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aSource, deliver, openCauses, SECRET, TEAM } from '../sources/testing.ts'
import { type Recovery, recovery } from './index.ts'

interface Logged {
  readonly id: number
  readonly guid: string
  delivered_at: string | null
  status_code: number
  readonly delivery: SignedDelivery
}

/** GitHub's log over real HTTP: newest first, pages of 100 with a cursor, and attempts that bring a delivery again. */
const github = {
  log: [] as Logged[],
  asked: [] as number[],
  pages: 0,
  endless: false,
  /** Whether what is asked for comes; else it is lost again. */
  brings: true,
  answer: undefined as { status: number; headers?: Record<string, string> } | undefined,
}
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  if (github.answer) return send(github.answer.status, { message: 'not now' }, github.answer.headers)
  const attempt = /\/app\/hook\/deliveries\/(\d+)\/attempts$/.exec(pathname)?.[1]
  if (attempt !== undefined) {
    github.asked.push(Number(attempt))
    const logged = github.log.find(({ id }) => id === Number(attempt))
    if (!logged) return send(404, { message: 'Not Found' })
    if (!github.brings) return send(202, {})
    return void deliver(causes, source.url, logged.delivery).then(() => send(202, {}))
  }
  github.pages += 1
  const from = Number(searchParams.get('cursor') ?? 0)
  const page = github.log.slice(github.endless ? 0 : from, from + 100)
  const more = github.endless || github.log.length > from + 100
  const next = `<${base()}/api/v3/app/hook/deliveries?per_page=100&cursor=${from + 100}>; rel="next"`
  const shown = page.map(({ delivery: _body, ...each }) => ({
    ...each,
    event: 'push',
    action: null,
    repository_id: 99,
  }))
  return send(200, shown, more ? { link: next } : {})
})
await once(server.listen(0, '127.0.0.1'), 'listening')
function base(): string {
  const address = server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
}

const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' })
const clock = createTestClock(new Date())
const broken = new Set<FailPoint>()
const app: { sourceId: string | null } = { sourceId: null }
const forge = findForge('github')
assert.ok(forge)
const githubForge = forge
const room: { door?: Recovery } = {}
const causes = await openCauses(
  await createTestDatabase(),
  {},
  {
    clock,
    failPoints: {
      hit(point) {
        if (broken.delete(point)) throw new Error(`died at ${point}`)
      },
    },
    upper: async (kit, doors) => {
      const parts = await recovery.open(kit, {
        ...doors,
        forges: { find: (provider) => findForge(provider) },
        gitApps: {
          ...doors.gitApps,
          listApps: async () => [{ provider: 'github', baseUrl: base(), sourceId: app.sourceId }],
          asApp: (_provider, signal, work) =>
            work(
              {
                baseUrl: base(),
                app: { appId: '7', privateKeys: [key.toString()], token: undefined },
                now: clock.now().getTime(),
                signal,
              },
              githubForge,
            ),
        },
      })
      room.door = parts.door
      return [parts]
    },
    standingOf(sourceId) {
      assert.ok(room.door)
      return room.door.standingOf(sourceId)
    },
  },
)
const source = await aConnectedSource(causes)
app.sourceId = source.id
const RECOVERIES = `/v1/git-webhook-sources/${source.id}/recoveries`
after(async () => {
  await causes.close()
  server.closeAllConnections()
  server.close()
})
afterEach(async () => {
  Object.assign(github, { log: [], asked: [], pages: 0, endless: false, brings: true, answer: undefined })
  broken.clear()
  const db = causes.kit.database.kysely
  await db.deleteFrom('recoveries').execute()
  await db.deleteFrom('recovery_logs').execute()
})

let made = 0
/** A delivery that the provider sent, and what it was answered; 502: nobody was there. */
function sent(status = 502, deliveredAt: string | null = clock.now().toISOString()): Logged {
  made += 1
  const head = made.toString(16).padStart(40, '0')
  const guid = randomUUID()
  const delivery = signPush({ secret: SECRET, after: head, deliveryId: guid })
  const logged = { id: made, guid, delivered_at: deliveredAt, status_code: status, delivery }
  github.log.unshift(logged)
  return logged
}

async function look(): Promise<void> {
  await causes.jobs.find(({ name }) => name === 'recovery.look-everywhere')?.run({}, new AbortController().signal)
}

async function listed() {
  const { status, body } = await causes.call('GET', `${RECOVERIES}?limit=100`)
  assert.equal(status, 200)
  return Array.isArray(body) ? body : []
}
const states = async () => (await listed()).map(({ state }) => state)
const standing = async () => (await causes.call('GET', RECOVERIES.replace('recoveries', 'recovery'))).body

async function countRecords(guid: string): Promise<number> {
  const rows = await causes.kit.database.kysely
    .selectFrom('deliveries')
    .select('id')
    .where('delivery_id', '=', guid)
    .execute()
  return rows.length
}

describe('after an outage', () => {
  test('everything that was missed is there once, and says so', async () => {
    const missed = Array.from({ length: 30 }, () => sent())
    const seen = sent(202)
    await deliver(causes, source.url, seen.delivery)
    await look()
    assert.equal(github.asked.length, 30)
    await look()
    assert.deepEqual(await states(), Array(30).fill('recovered'))
    for (const { guid } of missed) assert.equal(await countRecords(guid), 1)
    const [first] = await listed()
    assert.ok(first?.['delivery_id'] && first['recovered_at'] && first['repository'] === null)
    assert.partialDeepStrictEqual(await standing(), { gap: null, missing: 0, recovered_7_days: 30, reason: null })
    await look()
    assert.equal(github.asked.length, 30)
  })

  test('the health of the source has the gap, and none once everything came', async () => {
    const { delivery, delivered_at: from } = sent()
    github.brings = false
    await look()
    const health = async () =>
      (await causes.call('GET', `/v1/git-webhook-sources/${source.id}/health`)).body['recovery']
    assert.partialDeepStrictEqual(await health(), { missing: 1, gap: { from }, reason: null })
    await deliver(causes, source.url, delivery)
    await look()
    assert.partialDeepStrictEqual(await health(), { missing: 0, gap: null, recovered_7_days: 1 })
  })

  test('what arrives meanwhile by itself is asked for no more', async () => {
    const { delivery } = sent()
    github.brings = false
    await look()
    await deliver(causes, source.url, delivery)
    await clock.advance(3_600_000)
    await look()
    assert.deepEqual([github.asked.length, await states()], [1, ['recovered']])
  })

  test('a delivery that was answered with a refusal is not missed: again it would be refused', async () => {
    const { guid } = sent(403)
    const foreign = signPush({ secret: SECRET, repository: { full_name: 'other/place' }, deliveryId: guid })
    const { status } = await deliver(causes, source.url, foreign)
    assert.ok(status >= 400 && status < 500, `answered ${status}`)
    await look()
    assert.deepEqual([github.asked.length, await states()], [0, []])
  })

  test('more than a page is walked, and the next look begins where this one ended', async () => {
    for (let at = 0; at < 120; at++) sent()
    await look()
    assert.deepEqual([github.pages, (await listed()).length, github.asked.length], [2, 100, 50])
  })
})

describe('faults', () => {
  for (const point of ['recovery.before_request', 'recovery.after_request'] as const) {
    test(`death at ${point} loses and doubles nothing`, async () => {
      const { guid } = sent()
      broken.add(point)
      await look()
      await look()
      assert.ok(github.asked.length <= 1)
      await clock.advance(700_000)
      await look()
      await look()
      assert.deepEqual([github.asked.length, await states(), await countRecords(guid)], [1, ['recovered'], 1])
    })
  }

  test('two processes ask once', async () => {
    for (let at = 0; at < 10; at++) sent()
    github.brings = false
    await Promise.all([look(), look()])
    assert.equal(new Set(github.asked).size, 10)
    assert.equal(github.asked.length, 10)
  })

  test('what never comes is given up with a reason', async () => {
    sent()
    github.brings = false
    for (let at = 0; at < 6; at++) {
      await look()
      await clock.advance(6 * 3_600_000)
    }
    assert.equal(github.asked.length, 5)
    assert.match(String((await listed())[0]?.['given_up_reason']), /asked 5 times/)
  })

  test('a limited rate is respected, and said', async () => {
    sent()
    github.answer = { status: 429, headers: { 'retry-after': '1800' } }
    await look()
    assert.match(String((await standing())['reason']), /./)
    assert.notEqual((await standing())['gap'], null)
    github.answer = undefined
    await clock.advance(600_000)
    await look()
    assert.equal(github.pages, 0)
    await clock.advance(1_300_000)
    await look()
    assert.equal(github.asked.length, 1)
  })

  test('a hostile log without an end, with dates of the future, is walked in bounds', async () => {
    sent(502, '2999-01-01T00:00:00Z')
    sent(502, null)
    github.endless = true
    await look()
    assert.deepEqual([github.pages, github.asked.length], [30, 2])
  })
})

describe('who may', () => {
  test('look at once: whoever may run deliveries again, and it is in the audit', async () => {
    assert.equal((await causes.call('POST', RECOVERIES)).status, 202)
    const viewer = await aMember(causes.kit.database.kysely, 'eve', 'viewer', TEAM)
    assert.equal((await causes.call('POST', RECOVERIES, undefined, { headers: viewer.headers })).status, 403)
    const rows = await causes.kit.database.kysely
      .selectFrom('audit_records')
      .select('resource_id')
      .where('action', '=', 'recovery.requested')
      .execute()
    assert.deepEqual(rows, [{ resource_id: source.id }])
  })

  test('an editor of another team finds no such source', async () => {
    await aTeam(causes.kit.database.kysely, 'elsewhere')
    const other = await aMember(causes.kit.database.kysely, 'mallory', 'editor', 'elsewhere')
    const as = { headers: other.headers }
    for (const path of [RECOVERIES, RECOVERIES.replace('recoveries', 'recovery')]) {
      assert.equal((await causes.call('GET', path, undefined, as)).status, 404)
    }
    assert.equal((await causes.call('POST', RECOVERIES, undefined, as)).status, 404)
  })

  test('a source without a log says why', async () => {
    const created = await causes.call('POST', '/v1/git-webhook-sources', aSource({ name: 'handmade' }))
    const { body } = await causes.call('GET', `/v1/git-webhook-sources/${created.body['id']}/recovery`)
    assert.match(String(body['reason']), /no log to read/)
  })
})

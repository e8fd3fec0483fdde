import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startOutage, until } from '#platform/testing'
import { aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { aGrant, aMember, aToken, aUser } from './rooms/foundation/access/testing.ts'
import { aSession } from './rooms/foundation/sessions/testing.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { type Follower, follow, tells } from './rooms/front/live/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// Attacks on GET /v1/live: rights that change, readers that do not read, sessions that end, a database that goes.

const { db, databaseUrl, http, ask, make } = await openTestHouse()
const url = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`
const opened: Follower[] = []
after(() => {
  for (const follower of opened) follower.close()
})
/** Within which it ends at all; `e2e/attacks/sessions.test.ts` holds it to the 5 s of the specification. */
const END_MS = 30_000

await anEnvironment(db, 'acme/test')
for (const path of ['acme/web', 'other', 'base']) await aTeam(db, path)
const TEAMS = ['acme', 'acme/web', 'other'] as const
const pipelines = new Map<string, Awaited<ReturnType<typeof aPipeline>>>()
for (const team of [...TEAMS, 'base']) pipelines.set(team, await aPipeline(db, `${team}/build`))
const root = await aMember(db, 'root', 'administrator', '/')

async function open(
  headers: Readonly<Record<string, string>>,
  topics: string,
  lastEventId?: string,
): Promise<Follower> {
  const follower = await follow(url, { topics, headers, ...(lastEventId === undefined ? {} : { lastEventId }) })
  opened.push(follower)
  return follower
}

function runOf(team: string): Promise<string> {
  const pipeline = pipelines.get(team)
  assert.ok(pipeline)
  return aRun(db, pipeline, { teamPath: team })
}

test('a reader hears of a run if and only if they may read it at that moment, while their grants come and go', async () => {
  const probes = new Map(await Promise.all(TEAMS.map(async (team) => [team, await runOf(team)] as const)))
  let member = 0
  const step = fc.record({ granted: fc.subarray([...TEAMS]), team: fc.constantFrom(...TEAMS) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      member += 1
      // What holds throughout: a stream of all runs that one may see needs some.
      const reader = await aMember(db, `reader-${member}`, 'viewer', 'base')
      let follower = await open(reader.headers, 'runs:/')
      for (const { granted, team } of steps) {
        await db.transaction().execute(async (tx) => {
          await sql`delete from grants where user_id = ${reader.id} and team_path <> 'base'`.execute(tx)
          for (const path of granted) await aGrant(tx, `user:${reader.id}`, 'viewer', path)
        })
        const mayRead = granted.some((path) => team === path || team.startsWith(`${path}/`))
        await until(
          'the grants to be heard of',
          () => ask(reader.token, 'GET', `/v1/runs/${probes.get(team)}`),
          ({ status }) => status === (mayRead ? 200 : 404),
        )
        const from = follower.seen.length
        const id = await runOf(team)
        const last = await runOf('base')
        // Several changes of one topic are told as `many`, without their ids.
        const behind = await follower
          .until(({ data }) => data['topic'] === 'runs:/' && (data['id'] === last || data['change'] === 'many'), from)
          .catch(async () => {
            // It ended with a right; the page opens another one.
            follower = await open(reader.headers, 'runs:/')
            return undefined
          })
        if (!behind) continue
        // Other rights: what was judged by the old ones is told by nothing but `reset`.
        const since = follower.seen.findLastIndex(({ event }) => event === 'reset')
        const heard = follower.seen.slice(Math.max(from, since + 1))
        const isTold = heard.some((event) => tells('runs:/', id)(event) || event.data['change'] === 'many')
        assert.equal(isTold, mayRead, `${team} with ${granted.join()}: ${JSON.stringify(heard)}`)
      }
      follower.close()
    }),
    { numRuns: 8 },
  )
})

test('a client that reads nothing keeps nobody else waiting, and little waits for it', async () => {
  const reader = await aMember(db, 'sleeper', 'viewer', '/')
  const stuck = connect(Number(new URL(url).port), '127.0.0.1')
  stuck.pause()
  await once(stuck, 'connect')
  stuck.write(
    `GET /v1/live?topics=runs:/,approvals HTTP/1.1\r\nHost: x\r\nAuthorization: ${reader.headers.authorization}\r\n\r\n`,
  )
  const other = await open(root.headers, 'runs:/')
  const before = process.memoryUsage().arrayBuffers
  for (let round = 0; round < 60; round += 1) await runOf('base')
  const from = other.seen.length
  const last = await runOf('base')
  await other.until(({ data }) => data['id'] === last || data['change'] === 'many', from)
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024)
  stuck.destroy()
})

describe('a stream of a session', () => {
  const signedIn = async (login: string) => {
    const userId = await aUser(db, login)
    await aGrant(db, `user:${userId}`, 'viewer', 'base')
    const session = await aSession(db, { userId })
    return { userId, ...session, headers: { cookie: session.cookie } }
  }

  test('ends by its revocation, by a sign-out and with a disabled user, and says why', async () => {
    const [revoked, left, disabled] = [await signedIn('revoked'), await signedIn('left'), await signedIn('disabled')]
    const followers = await Promise.all([revoked, left, disabled].map(({ headers }) => open(headers, 'runs:base')))
    const own = { ...left.headers, 'sec-fetch-site': 'same-origin' }
    const begun = performance.now()
    await make(root.token, 'DELETE', `/v1/sessions/${revoked.id}`)
    const out = await http.app.inject({ method: 'DELETE', url: '/v1/sessions/current', headers: own })
    assert.equal(out.statusCode, 204)
    await make(root.token, 'PATCH', `/v1/users/${disabled.userId}`, { disabled: true })
    for (const follower of followers) {
      assert.equal((await follower.until(({ event }) => event === 'closed')).data['code'], 'unauthenticated')
      await follower.over
    }
    assert.ok(performance.now() - begun < END_MS)
  })

  test('is one of eight over connections of their own, and all of them hear', async () => {
    const { headers } = await signedIn('eight')
    const tabs = await Promise.all(Array.from({ length: 8 }, () => open(headers, 'runs:base')))
    const id = await runOf('base')
    await Promise.all(tabs.map((tab) => tab.until(tells('runs:base', id))))
    const begun = performance.now()
    for (const tab of tabs) tab.close()
    assert.ok(performance.now() - begun < END_MS)
  })
})

test('streams of one account are limited: 429 says so, others are not concerned, and one that ends makes room', async () => {
  const crowd = await aMember(db, 'crowd', 'viewer', 'base')
  const second = await aToken(db, { kind: 'user', id: crowd.id })
  const first = await open(crowd.headers, 'runs:base')
  await Promise.all(Array.from({ length: 255 }, () => open(crowd.headers, 'runs:base')))
  const refused = await ask(second.token, 'GET', '/v1/live?topics=runs:base')
  assert.deepEqual([refused.status, refused.body['code']], [429, 'live.too_many_streams'])
  assert.match(String(refused.body['detail']), /256 streams/)
  assert.ok(refused.headers['retry-after'])
  await open(root.headers, 'runs:base')
  first.close()
  await until(
    'room for another one',
    () => open(crowd.headers, 'runs:base').catch(() => undefined),
    (follower) => follower !== undefined,
  )
})

test('a database that goes and comes back loses no event: the stream says both, and that everything is to be read again', async () => {
  const follower = await open(root.headers, 'runs:/')
  const position = follower.seen[0]?.id
  const outage = await startOutage(databaseUrl)
  await follower.until(({ event }) => event === 'away')
  const refused = await ask(root.token, 'GET', '/v1/live?topics=runs:/')
  assert.equal(refused.status, 503, 'no stream begins that would hear nothing')
  assert.ok(refused.headers['retry-after'])
  await outage.end()
  const back = await follower.until(({ event }) => event !== 'away', 1)
  assert.equal(back.event, 'reset', 'it is back, or the stream says why it ended')
  assert.equal(follower.seen.filter(({ event }) => event === 'away').length, 1)
  const missed = await until(
    'the database to answer',
    () => runOf('base').catch(() => undefined),
    (id) => id !== undefined,
  )
  // It was told of the run, or to read everything, or it ended and is told so when it comes back.
  const heard = await follower
    .until(({ event, data }) => event === 'reset' || data['id'] === missed || data['change'] === 'many', 1)
    .catch(() => undefined)
  const again = await until(
    'a stream',
    () => open(root.headers, 'runs:/', position).catch(() => undefined),
    (stream) => stream !== undefined,
  )
  if (!heard) assert.ok(again?.seen.some(({ event, data }) => event === 'reset' || data['id'] === missed))
  const id = await runOf('base')
  await again?.until(({ data }) => data['id'] === id || data['change'] === 'many', 1)
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestClock, until } from '#platform/testing'
import { aSession, cookieFrom, openSignIn, PASSWORD } from './testing.ts'

const HOUR_MS = 3_600_000
const clock = createTestClock()
const env = { SESSION_IDLE_HOURS: '2', SESSION_MAX_DAYS: '1' }
const page = await openSignIn({ baseUrl: 'http://ci.lan', clock, env })
const { db, aPerson, signIn, ask, look, call, root } = page
after(() => page.close())

let people = 0
interface Browser {
  readonly userId: string
  readonly login: string
  readonly id: string
  readonly cookie: string
}
async function open(login: string): Promise<Browser> {
  const answer = await signIn({ login, password: PASSWORD })
  assert.equal(answer.statusCode, 201, answer.body)
  const { id, user_id: userId } = answer.json()
  return { userId, login, id, cookie: cookieFrom(answer) }
}
/** Of a new person. */
async function aBrowser(): Promise<Browser> {
  const login = `person-${(people += 1)}`
  await aPerson(login)
  return open(login)
}
/** The clock of the tests may jump over the patience of a look at the rights that is under way: then 503 is answered. */
const statusOf = ({ cookie }: Browser, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  until(
    'an answer that knows the rights',
    async () => (await look(cookie, '/v1/auth/me', headers)).statusCode,
    (status) => status !== 503,
  )
const idsOf = (answer: { json(): { id: string }[] }): string[] => answer.json().map(({ id }) => id)
async function lastRecord(): Promise<{ action: string; resource: { id: string } }> {
  const [record] = (await call(root, 'GET', '/v1/audit?limit=1')).json()
  return record
}

describe('a user', () => {
  test('sees where they are signed in, and which of them this is', async () => {
    const first = await aBrowser()
    const second = await open(first.login)
    const listed = await ask(first.cookie, 'GET', '/v1/sessions')
    assert.deepEqual(
      listed.json().map(({ id, current }: { id: string; current: boolean }) => [id, current]),
      [
        [second.id, false],
        [first.id, true],
      ],
    )
    assert.ok(!listed.body.includes(first.cookie.split('=')[1] ?? ''))
    const page1 = await ask(first.cookie, 'GET', '/v1/sessions?limit=1')
    assert.match(String(page1.headers['link']), /cursor=/)
  })

  test('signs out: that session ends, and to repeat it ends nothing more', async () => {
    const first = await aBrowser()
    const second = await open(first.login)
    const answer = await ask(first.cookie, 'DELETE', '/v1/sessions/current')
    assert.equal(answer.statusCode, 204)
    assert.match(String(answer.headers['set-cookie']), /^session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/)
    assert.deepEqual([(await lastRecord()).action, (await lastRecord()).resource.id], ['session.closed', first.id])
    assert.equal(await statusOf(first), 401)
    assert.equal((await ask(first.cookie, 'DELETE', '/v1/sessions/current')).statusCode, 401)
    assert.equal(await statusOf(second), 200)
  })

  test('ends one of their own sessions, and nobody else’s', async () => {
    const first = await aBrowser()
    const second = await open(first.login)
    const other = await aBrowser()
    const absent = await ask(first.cookie, 'DELETE', '/v1/sessions/01900000-0000-7000-8000-000000000001')
    const foreign = await ask(first.cookie, 'DELETE', `/v1/sessions/${other.id}`)
    assert.equal(foreign.statusCode, 404)
    assert.equal(foreign.json().detail, absent.json().detail)
    assert.equal(await statusOf(other), 200)
    assert.equal((await ask(first.cookie, 'DELETE', `/v1/sessions/${second.id}`)).statusCode, 204)
    assert.equal((await lastRecord()).action, 'session.revoked')
    assert.equal(await statusOf(second), 401)
    assert.equal((await ask(first.cookie, 'DELETE', `/v1/sessions/${second.id}`)).statusCode, 404)
  })

  test('ends all others', async () => {
    const first = await aBrowser()
    const second = await open(first.login)
    const other = await aBrowser()
    assert.equal((await ask(first.cookie, 'DELETE', '/v1/sessions')).statusCode, 204)
    assert.equal((await lastRecord()).action, 'user.sessions_revoked')
    assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(other)], [200, 401, 200])
  })

  test('who changes the password ends all other sessions', async () => {
    const first = await aBrowser()
    const second = await open(first.login)
    const change = { password: 'another long password', current_password: PASSWORD }
    const answer = await ask(first.cookie, 'PATCH', `/v1/users/${first.userId}`, change)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 401])
    const name = await ask(first.cookie, 'PATCH', `/v1/users/${first.userId}`, { name: 'Another' })
    assert.equal(name.statusCode, 200)
    assert.equal(await statusOf(first), 200, 'another name ends nothing')
  })

  test('a token has no session: it sees those of its user, and ends none by signing out', async () => {
    const { id, userId, cookie } = await aBrowser()
    const { token } = (await ask(cookie, 'POST', '/v1/tokens', { name: 'laptop' })).json()
    const own = { headers: { authorization: `Bearer ${token}` } }
    const listed = (await call(own, 'GET', '/v1/sessions')).json()
    assert.deepEqual([listed.length, listed[0].id, listed[0].user_id, listed[0].current], [1, id, userId, false])
    assert.equal((await call(own, 'DELETE', '/v1/sessions/current')).statusCode, 400)
    assert.equal((await call(own, 'DELETE', '/v1/sessions')).statusCode, 204)
    assert.deepEqual((await call(own, 'GET', '/v1/sessions')).json(), [])
  })
})

describe('an administrator', () => {
  test('sees and ends the sessions of anybody; others do neither', async () => {
    const first = await aBrowser()
    const other = await aBrowser()
    const path = `/v1/users/${first.userId}/sessions`
    assert.deepEqual(idsOf(await call(root, 'GET', path)), [first.id])
    for (const method of ['GET', 'DELETE'] as const) {
      assert.equal((await ask(other.cookie, method, path)).statusCode, 404, 'does not learn who there is')
      assert.equal((await ask(first.cookie, method, path)).statusCode, 403)
    }
    assert.equal((await call(root, 'DELETE', path)).statusCode, 204)
    assert.deepEqual(
      [(await lastRecord()).action, (await lastRecord()).resource.id],
      ['user.sessions_revoked', first.userId],
    )
    assert.deepEqual([await statusOf(first), await statusOf(other)], [401, 200])
    assert.equal((await call(root, 'DELETE', `/v1/sessions/${other.id}`)).statusCode, 204)
    assert.equal(await statusOf(other), 401)
  })

  test('who sets a password, disables or deletes a user ends all sessions of that user', async () => {
    const changes: readonly (readonly ['PATCH' | 'DELETE', object | undefined])[] = [
      ['PATCH', { password: 'another long password' }],
      ['PATCH', { password: null }],
      ['PATCH', { disabled: true }],
      ['DELETE', undefined],
    ]
    for (const [method, body] of changes) {
      const first = await aBrowser()
      assert.equal(await statusOf(first), 200)
      const changed = await call(root, method, `/v1/users/${first.userId}`, body)
      assert.ok(changed.statusCode < 300, changed.body)
      assert.equal(await statusOf(first), 401, JSON.stringify(body))
      if (method === 'PATCH') await call(root, 'PATCH', `/v1/users/${first.userId}`, { disabled: false })
      assert.equal(await statusOf(first), 401, 'also when the user is enabled again')
    }
  })
})

describe('a session ends by itself', () => {
  test('when it is not used for the idle hours', async () => {
    const first = await aBrowser()
    await clock.advance(2 * HOUR_MS - 1000)
    assert.equal(await statusOf(first), 200)
    await clock.advance(2 * HOUR_MS - 1000)
    assert.equal(await statusOf(first), 200, 'counted from the last request')
    const answer = (await ask(first.cookie, 'GET', '/v1/sessions')).json()[0]
    assert.equal(Date.parse(answer.idle_ends_at) - Date.parse(answer.last_used_at), 2 * HOUR_MS)
    await clock.advance(2 * HOUR_MS)
    assert.equal(await statusOf(first), 401)
    const again = await open(first.login)
    assert.deepEqual(idsOf(await ask(again.cookie, 'GET', '/v1/sessions')), [again.id], 'is listed no more')
  })

  const BACKGROUND = { 'signalbox-background': 'true' }
  const BY_THE_PAGE: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['what the page reads again by itself', BACKGROUND],
    ['a stream that the page opens again', { accept: 'text/event-stream' }],
  ]
  for (const [what, headers] of BY_THE_PAGE) {
    test(`${what} is no use, however often it comes`, async () => {
      const first = await aBrowser()
      for (let minutes = 0; minutes < 120; minutes += 30) {
        assert.equal(await statusOf(first, headers), 200)
        await clock.advance(HOUR_MS / 2)
      }
      assert.equal(await statusOf(first, headers), 401)
    })
  }

  test('what a person does between what the page does by itself is a use', async () => {
    const first = await aBrowser()
    await clock.advance(1.5 * HOUR_MS)
    assert.equal(await statusOf(first, BACKGROUND), 200)
    const usedAt = clock.now().toISOString()
    assert.equal(await statusOf(first), 200)
    await clock.advance(1.5 * HOUR_MS)
    assert.equal(await statusOf(first, BACKGROUND), 200)
    await page.settle()
    const [listed] = (await look(first.cookie, '/v1/sessions', BACKGROUND)).json()
    assert.equal(listed.last_used_at, usedAt, 'the list tells when the person used it')
    await clock.advance(HOUR_MS / 2)
    assert.equal(await statusOf(first, BACKGROUND), 401)
  })

  test('what is being sent is no use', async () => {
    const { cookie } = await aBrowser()
    const secret = cookie.split('=')[1] ?? ''
    await clock.advance(HOUR_MS)
    const { authenticator } = page.parts.door
    assert.ok(await authenticator.authenticateAgain({ kind: 'session', secret }))
    await clock.advance(HOUR_MS)
    assert.equal(await authenticator.authenticateAgain({ kind: 'session', secret }), undefined)
  })

  test('a use that another process noted counts', async () => {
    const first = await aBrowser()
    assert.equal(await statusOf(first), 200)
    await clock.advance(1.5 * HOUR_MS)
    await db.updateTable('sessions').set({ last_used_at: clock.now() }).where('id', '=', first.id).execute()
    await clock.advance(HOUR_MS)
    assert.equal(await statusOf(first), 200)
  })

  test('the days after the sign-in, however much it is used', async () => {
    const first = await aBrowser()
    for (let hours = 0; hours < 23; hours++) {
      await clock.advance(HOUR_MS)
      assert.equal(await statusOf(first), 200)
    }
    await clock.advance(HOUR_MS)
    assert.equal(await statusOf(first), 401)
  })

  test('its last use is written at most once a minute', async () => {
    const first = await aBrowser()
    const written = async () => {
      await page.settle()
      const row = await db
        .selectFrom('sessions')
        .select('last_used_at')
        .where('id', '=', first.id)
        .executeTakeFirstOrThrow()
      return row.last_used_at.getTime()
    }
    const opened = await written()
    await clock.advance(59_000)
    await statusOf(first)
    assert.equal(await written(), opened)
    await clock.advance(1000)
    await statusOf(first)
    assert.equal(await written(), opened + 60_000)
  })
})

test('what has ended is dropped, and nothing else', async () => {
  const job = page.parts.jobs?.find(({ name }) => name === 'sessions.drop-ended')
  const kept = await aBrowser()
  const at = clock.now()
  const times = { createdAt: new Date(at.getTime() - 2 * HOUR_MS), lastUsedAt: at }
  const later = new Date(at.getTime() + HOUR_MS)
  const expired = await aSession(db, { ...times, userId: kept.userId, expiresAt: at })
  const revoked = await aSession(db, { ...times, userId: kept.userId, expiresAt: later, revokedAt: at })
  await job?.run({}, AbortSignal.timeout(60_000))
  const left = await db.selectFrom('sessions').select('id').where('user_id', '=', kept.userId).execute()
  assert.deepEqual(
    left.map(({ id }) => id),
    [kept.id],
  )
  assert.ok(![expired.id, revoked.id].includes(kept.id))
  const revision = async () =>
    (await db.selectFrom('access_revision').select('revision').executeTakeFirstOrThrow()).revision
  const before = await revision()
  await job?.run({}, AbortSignal.timeout(60_000))
  assert.equal(await revision(), before, 'nothing to drop makes no snapshot old')
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sha256 } from '#platform/crypto'
import { startOutage, until } from '#platform/testing'
import { aSession, cookieFrom, openSignIn, PASSWORD } from './testing.ts'

const page = await openSignIn({ baseUrl: 'https://ci.example.com' })
const { db, aPerson, signIn, ask } = page
after(() => page.close())

const openOf = async (userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

describe('signing in with a password', () => {
  test('opens a session that is its user, and answers its secret in the cookie alone', async () => {
    const id = await aPerson('ada')
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'
    const answer = await signIn({ login: 'ada', password: PASSWORD }, { 'user-agent': userAgent })
    assert.equal(answer.statusCode, 201, answer.body)
    const session = answer.json()
    assert.deepEqual(
      [session.user_id, session.method, session.provider, session.device, session.current],
      [id, 'password', null, 'Firefox on Linux', true],
    )
    const setCookie = String(answer.headers['set-cookie'])
    assert.match(setCookie, /^__Host-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const secret = cookieFrom(answer).split('=')[1] ?? ''
    assert.ok(!answer.body.includes(secret))
    const stored = await db.selectFrom('sessions').selectAll().where('id', '=', session.id).executeTakeFirstOrThrow()
    assert.ok(stored.digest.equals(sha256(secret)))
    const me = (await ask(cookieFrom(answer), 'GET', '/v1/auth/me')).json()
    assert.deepEqual([me.kind, me.id, me.name, me.session_id], ['user', id, 'ada', session.id])
    const [record] = (await page.call(page.root, 'GET', '/v1/audit?limit=1')).json()
    assert.deepEqual([record.action, record.actor.name, record.resource.id], ['session.opened', 'ada', session.id])
    assert.ok(!JSON.stringify(record).includes(secret))
  })

  test('makes tokens, which go on without the session', async () => {
    await aPerson('maker')
    const cookie = cookieFrom(await signIn({ login: 'maker', password: PASSWORD }))
    const made = await ask(cookie, 'POST', '/v1/tokens', { name: 'laptop' })
    assert.equal(made.statusCode, 201, made.body)
    await ask(cookie, 'DELETE', '/v1/sessions/current')
    const headers = { authorization: `Bearer ${made.json().token}` }
    assert.equal((await page.call({ headers }, 'GET', '/v1/auth/me')).json().session_id, null)
  })

  test('over plain HTTP, the cookie has the plain name and goes without Secure', async () => {
    const lan = await openSignIn({ baseUrl: 'http://ci.lan', env: { SESSION_MAX_DAYS: '1' } })
    try {
      await lan.aPerson('ada')
      const setCookie = (await lan.signIn({ login: 'ada', password: PASSWORD })).headers['set-cookie']
      assert.match(String(setCookie), /^session=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/)
    } finally {
      await lan.close()
    }
  })

  test('says one sentence for every wrong pair, and sets no cookie', async () => {
    const bob = await aPerson('bob')
    await aPerson('carl')
    await page.call(page.root, 'PATCH', `/v1/users/${bob}`, { disabled: true })
    const answers = [
      await signIn({ login: 'nobody', password: PASSWORD }),
      await signIn({ login: 'carl', password: 'wrong' }),
      await signIn({ login: 'bob', password: PASSWORD }),
      // Has no password.
      await signIn({ login: 'root', password: PASSWORD }),
      await signIn({ login: "' or 1=1 --", password: PASSWORD }),
    ]
    for (const answer of answers) {
      const { code, detail } = answer.json()
      assert.deepEqual(
        [answer.statusCode, code, detail],
        [401, 'session.wrong_password', 'Login or password is wrong.'],
      )
      assert.equal(answer.headers['set-cookie'], undefined)
    }
  })

  test('is slowed down for a login that was guessed at', async () => {
    await aPerson('dora')
    const guesses = []
    for (let at = 0; at < 12; at++) guesses.push(await signIn({ login: 'dora', password: 'wrong' }, {}))
    const limited = guesses.find(({ statusCode }) => statusCode === 429)
    assert.equal(limited?.json().code, 'rate_limited')
    assert.ok(Number(limited?.headers['retry-after']) > 0)
    const { text } = await page.kit.metrics.render()
    assert.match(text, /signalbox_sign_ins_total\{provider="local",outcome="limited"\} [1-9]/)
    assert.match(text, /signalbox_sign_ins_total\{provider="local",outcome="refused"\} [1-9]/)
    assert.match(text, /signalbox_sessions\{method="password"\} [1-9]/)
  })
})

describe('a session', () => {
  test('is always a new one: a planted secret is never taken over, and what the browser had ends', async () => {
    const id = await aPerson('eve')
    const attacker = await aSession(db, { userId: await aPerson('mallory') })
    const planted = `__Host-session=${attacker.secret}`
    const first = await aSession(db, { userId: id })
    assert.equal((await ask(`__Host-session=${first.secret}`, 'GET', '/v1/auth/me')).json().id, id)
    const made = cookieFrom(await signIn({ login: 'eve', password: PASSWORD }, { cookie: planted }))
    assert.notEqual(made, planted)
    assert.equal((await ask(made, 'GET', '/v1/auth/me')).json().id, id)
    assert.equal((await ask(planted, 'GET', '/v1/auth/me')).statusCode, 401, 'the planted one has ended')
    const both = `${planted}; ${made}`
    assert.equal((await ask(both, 'GET', '/v1/auth/me')).statusCode, 401, 'nobody can tell which of two is ours')
  })

  test('of guessed secrets is none; an address that guesses on is slowed down, and valid sessions pass', async () => {
    const { secret } = await aSession(db, { userId: await aPerson('fred') })
    const guess = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'Q' : 'A'}`
    for (const cookie of [
      '',
      'x',
      secret.slice(1),
      `${secret}x`,
      secret.toUpperCase(),
      guess,
      'null',
      '../../etc/passwd',
    ]) {
      assert.equal((await ask(`__Host-session=${cookie}`, 'GET', '/v1/auth/me')).statusCode, 401, cookie)
    }
    assert.equal((await ask(`session=${secret}`, 'GET', '/v1/auth/me')).statusCode, 401, 'under another name')
    const statuses = []
    for (let at = 0; at < 70; at++)
      statuses.push((await ask(`__Host-session=${guess}`, 'GET', '/v1/auth/me')).statusCode)
    assert.ok(statuses.includes(429))
    assert.equal((await ask(`__Host-session=${secret}`, 'GET', '/v1/auth/me')).statusCode, 200)
  })

  test('beyond the hundredth ends the one that was used longest ago', async () => {
    const userId = await aPerson('script')
    const old = new Date(Date.now() - 60_000)
    const oldest = await aSession(db, { userId, createdAt: old, lastUsedAt: old })
    for (let at = 0; at < 99; at++) await aSession(db, { userId })
    const made = (await signIn({ login: 'script', password: PASSWORD })).json()
    const open = await openOf(userId)
    assert.equal(open.length, 100)
    assert.ok(!open.includes(oldest.id) && open.includes(made.id))
  })
})

describe('a database that is away', () => {
  test('signs nobody out', async () => {
    const { secret } = await aSession(db, { userId: await aPerson('gina') })
    const known = await aSession(db, { userId: await aPerson('hugo') })
    const me = async (of: string) => (await ask(`__Host-session=${of}`, 'GET', '/v1/auth/me')).statusCode
    assert.equal(await me(known.secret), 200)
    const outage = await startOutage(page.url)
    try {
      const answer = await ask(`__Host-session=${secret}`, 'GET', '/v1/auth/me')
      assert.deepEqual([answer.statusCode, answer.json().code], [503, 'authorization_unavailable'])
      assert.equal(answer.headers['set-cookie'], undefined)
      assert.equal((await signIn({ login: 'gina', password: PASSWORD }, {})).statusCode, 503)
    } finally {
      await outage.end()
    }
    await until(
      'the session to be known again',
      () => me(secret),
      (status) => status === 200,
    )
    assert.equal(await me(known.secret), 200)
  })
})

describe('a password that is changed while somebody signs in with the old one', () => {
  test('opens nothing', async () => {
    const id = await aPerson('ivan')
    const verified = await page.house.access.verifyPassword('ivan', PASSWORD, '192.0.2.77')
    assert.equal(verified?.userId, id)
    const isStillRight = () => page.house.access.changeAccess(async (tx) => verified?.isStillRight(tx))
    assert.equal(await isStillRight(), true)
    await page.call(page.root, 'PATCH', `/v1/users/${id}`, { password: 'another long password' })
    assert.equal(await isStillRight(), false)
  })
})

describe('before anybody is signed in', () => {
  test('the page asks for the ways to sign in, and learns no more', async () => {
    const answer = await page.call({ headers: {} }, 'GET', '/v1/sign-in')
    assert.deepEqual(answer.json(), { setup_needed: false, password: true, providers: [] })
    assert.equal(answer.headers['cache-control'], 'no-store')
  })
})

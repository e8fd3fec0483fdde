import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { startLocalProvider } from '../../../adapters/openid/testing.ts'
import { openTestHouse } from '../../../testing/test-house.ts'
import { aMember, aUser } from '../access/testing.ts'
import { aSession } from '../sessions/testing.ts'
import { insertIdentity, listIdentities } from './store.ts'
import { createTestBrowser } from './testing.ts'

const BASE = 'http://127.0.0.1:8080'
const CALLBACK = `${BASE}/v1/sign-in/company/callback`
const company = await startLocalProvider([{ id: 'signalbox', secret: 'hush', redirectUris: [CALLBACK] }])
after(() => company[Symbol.asyncDispose]())
const SIGN_IN_PROVIDERS = JSON.stringify([
  { id: 'company', name: 'Company', issuer: company.issuer, client_id: 'signalbox', client_secret: 'hush' },
])
const clock = createTestClock(new Date())
const { kit, db, http, ask } = await openTestHouse({
  clock,
  env: { BASE_URL: BASE, SIGN_IN_PROVIDERS, PASSWORD_SIGN_IN: 'false' },
})
const root = await aMember(db, 'root', 'administrator', '/')
const owner = await aMember(db, 'owner', 'owner', '/')
/** A user with a browser that is signed in. */
async function signedIn(login: string) {
  const userId = await aUser(db, login)
  const browser = createTestBrowser(http, BASE)
  const { secret } = await aSession(db, { userId })
  browser.steal(new Map([['session', secret]]))
  assert.equal((await browser.ask('GET', '/v1/auth/me')).status, 200)
  return { userId, browser }
}
type Browser = Awaited<ReturnType<typeof signedIn>>['browser']

/** Begins to link, and comes back from the provider; answers the address of the way back. */
async function toProvider(browser: Browser, returnTo = '#/account'): Promise<string> {
  const { status, body } = await browser.ask('POST', '/v1/sign-in/company/link', { return_to: returnTo })
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(typeof body === 'object' && body !== null && 'url' in body)
  return (await browser.leave(String(body.url))).slice(BASE.length)
}
const linked = async (userId: string): Promise<unknown> =>
  JSON.parse((await ask(root.token, 'GET', `/v1/users/${userId}/identities`)).text)

async function linkedIds(userId: string): Promise<string[]> {
  return (await listIdentities(db, userId)).map(({ id }) => id)
}

function readCode(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
}

beforeEach(async () => {
  await clock.advance(60_000)
  company.person = { sub: 'sub-ada', preferred_username: 'ada' }
})

describe('an account is linked', () => {
  test('by its user, who signs in by it from then on', async () => {
    const { userId, browser } = await signedIn('ada')
    assert.equal((await browser.go(await toProvider(browser))).location, `${BASE}/#/account`)
    const [identity] = JSON.parse(JSON.stringify((await browser.ask('GET', `/v1/users/${userId}/identities`)).body))
    assert.deepEqual([identity.provider, identity.subject, identity.last_sign_in_at], ['company', 'sub-ada', null])
    const other = createTestBrowser(http, BASE)
    assert.equal(await other.signIn('company'), '#/')
    assert.match(JSON.stringify((await other.ask('GET', '/v1/auth/me')).body), /"ada"/)
    // Once more changes nothing.
    assert.equal((await browser.go(await toProvider(browser))).location, `${BASE}/#/account`)
  })

  test('to one user only', async () => {
    const { userId, browser } = await signedIn('bea')
    const { location } = await browser.go(await toProvider(browser, '#/account?tab=sign-in'))
    assert.equal(location, `${BASE}/#/account?tab=sign-in&error=account_taken`)
    assert.deepEqual(await linked(userId), [])
  })

  test('by an administrator, by its subject', async () => {
    const userId = await aUser(db, 'cleo')
    const path = `/v1/users/${userId}/identities`
    const body = { provider: 'company', subject: 'sub-cleo' }
    assert.equal((await ask(owner.token, 'POST', path, body)).status, 403)
    assert.equal((await ask(root.token, 'POST', path, { ...body, provider: 'nobody' })).status, 400)
    assert.equal((await ask(root.token, 'POST', path, { ...body, subject: 'a\nb' })).status, 400)
    const made = await ask(root.token, 'POST', path, body)
    assert.equal(made.status, 201, made.text)
    const again = await ask(root.token, 'POST', path, body)
    assert.deepEqual([again.status, again.body['code']], [409, 'identity.account_taken'])
    company.person = { sub: 'sub-cleo' }
    const browser = createTestBrowser(http, BASE)
    assert.equal(await browser.signIn('company'), '#/')
    assert.match(JSON.stringify((await browser.ask('GET', '/v1/auth/me')).body), /"cleo"/)
  })

  test('until it is unlinked, which ends the sessions', async () => {
    const userId = await aUser(db, 'dana')
    const { body } = await ask(root.token, 'POST', `/v1/users/${userId}/identities`, {
      provider: 'company',
      subject: 'sub-dana',
    })
    company.person = { sub: 'sub-dana' }
    const browser = createTestBrowser(http, BASE)
    await browser.signIn('company')
    const path = `/v1/users/${userId}/identities/${String(body['id'])}`
    const { browser: stranger } = await signedIn('stranger')
    assert.equal((await stranger.ask('DELETE', path)).status, 404)
    assert.equal((await ask(root.token, 'DELETE', path)).status, 204)
    assert.equal((await ask(root.token, 'DELETE', path)).status, 404)
    assert.equal((await browser.ask('GET', '/v1/auth/me')).status, 401)
    assert.equal(await browser.signIn('company'), '#/sign-in?error=account_unknown')
  })

  test('and stays while it is the only way in of the user who unlinks it (409)', async () => {
    const { userId, browser } = await signedIn('only')
    const path = (identity: { readonly id: string }) => `/v1/users/${userId}/identities/${identity.id}`
    const link = async (subject: string) => {
      const body = { provider: 'company', subject }
      const made = await ask(root.token, 'POST', `/v1/users/${userId}/identities`, body)
      return { id: String(made.body['id']) }
    }
    const first = await link('sub-only')
    // Of a provider that is configured no more: it lets nobody in.
    const gone = { id: kit.ids.next(), userId, issuer: 'https://gone.example', subject: 'x', createdAt: clock.now() }
    await insertIdentity(db, { ...gone, lastSignInAt: null })
    await db.updateTable('users').set({ password_hash: 'of-a-password' }).where('id', '=', userId).execute()
    const refused = await browser.ask('DELETE', path(first))
    assert.deepEqual([refused.status, readCode(refused.body)], [409, 'identity.only_way_in'], 'passwords are off here')
    assert.equal((await linkedIds(userId)).length, 2, 'nothing was unlinked')
    assert.equal((await browser.ask('DELETE', path(gone))).status, 204)
    const second = await link('sub-only-2')
    assert.equal((await browser.ask('DELETE', path(first))).status, 204)
    assert.equal((await browser.ask('GET', '/v1/auth/me')).status, 200, 'the session of the request stays')
    assert.equal((await browser.ask('DELETE', path(second))).status, 409)
    assert.equal((await ask(root.token, 'DELETE', path(second))).status, 204, 'an administrator may do so')
  })

  test('and is shown to its user and to administrators alone', async () => {
    const { userId, browser } = await signedIn('eve')
    const { browser: stranger } = await signedIn('curious')
    const path = `/v1/users/${userId}/identities`
    assert.equal((await browser.ask('GET', path)).status, 200)
    assert.equal((await stranger.ask('GET', path)).status, 404)
    assert.equal((await ask(owner.token, 'GET', path)).status, 403)
  })
})

describe('a link is refused', () => {
  test('to a token, to another site, and for a provider that is not there', async () => {
    assert.equal((await ask(root.token, 'POST', '/v1/sign-in/company/link', {})).status, 400)
    const { browser } = await signedIn('fay')
    assert.equal((await browser.ask('POST', '/v1/sign-in/nobody/link', {})).status, 404)
    const cookie = `session=${browser.cookies.get('session')}`
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { cookie, 'sec-fetch-site': site }
      const answer = await http.app.inject({ method: 'POST', url: '/v1/sign-in/company/link', headers, payload: {} })
      assert.equal(answer.statusCode, 403, site)
    }
  })

  test('to a browser that is signed in as somebody else when it comes back', async () => {
    company.person = { sub: 'sub-of-attacker' }
    const { userId, browser } = await signedIn('gil')
    const back = await toProvider(browser)
    const { userId: otherId, browser: other } = await signedIn('hal')
    browser.steal(other.cookies)
    assert.equal((await browser.go(back)).location, `${BASE}/#/account?error=expired`)
    assert.deepEqual([await linked(userId), await linked(otherId)], [[], []])
  })

  test('to a browser whose session has ended meanwhile', async () => {
    company.person = { sub: 'sub-late' }
    const { userId, browser } = await signedIn('ivy')
    const back = await toProvider(browser)
    await ask(root.token, 'DELETE', `/v1/users/${userId}/sessions`)
    assert.equal((await browser.go(back)).location, `${BASE}/#/account?error=expired`)
    assert.deepEqual(await linked(userId), [])
  })

  test('to the victim of a link that somebody else began', async () => {
    company.person = { sub: 'sub-of-attacker' }
    const { browser: attacker } = await signedIn('mallory')
    const back = await toProvider(attacker)
    const { userId, browser: victim } = await signedIn('victim')
    assert.equal((await victim.go(back)).location, `${BASE}/#/sign-in?error=expired`)
    assert.deepEqual(await linked(userId), [])
  })
})

describe('passwords that are switched off', () => {
  test('sign nobody in, and the page is told', async () => {
    const ways = await http.app.inject('/v1/sign-in')
    assert.deepEqual(ways.json(), {
      setup_needed: false,
      password: false,
      providers: [{ id: 'company', name: 'Company' }],
    })
    const headers = { 'sec-fetch-site': 'same-origin' }
    const payload = { login: 'root', password: 'a-password-of-root' }
    const answer = await http.app.inject({ method: 'POST', url: '/v1/sessions', headers, payload })
    assert.deepEqual([answer.statusCode, answer.json().code], [403, 'session.passwords_off'])
  })

  test('leave tokens working: an administrator comes back by one', async () => {
    assert.equal((await ask(root.token, 'GET', '/v1/users')).status, 200)
  })
})

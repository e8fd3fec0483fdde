import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { startLocalProvider } from '../../../adapters/openid/testing.ts'
import { openTestHouse } from '../../../testing/test-house.ts'
import { aGrant, aMember, aUser } from '../access/testing.ts'
import { createTestBrowser } from './testing.ts'

// People sign in by real providers; the ways back are attacked.

const BASE = 'https://signalbox.example.com'
const clientOf = (id: string) => ({
  id: 'signalbox',
  secret: 'hush',
  redirectUris: [`${BASE}/v1/sign-in/${id}/callback`],
})
const company = await startLocalProvider([clientOf('company'), { ...clientOf('company'), id: 'another' }])
const guests = await startLocalProvider([clientOf('guests')])
const gone = await startLocalProvider([clientOf('gone')])
after(async () => {
  for (const provider of [company, guests, gone]) await provider[Symbol.asyncDispose]()
})
const usual = { client_id: 'signalbox', client_secret: 'hush' }
const SIGN_IN_PROVIDERS = JSON.stringify([
  {
    ...usual,
    id: 'company',
    name: 'Company account',
    issuer: company.issuer,
    scopes: ['profile', 'email', 'groups'],
    groups_claim: 'groups',
    groups: {
      dev: 'developers',
      'all-dev': 'developers',
      ops: 'operators',
      boss: 'administrators',
      lost: 'no-such-group',
    },
    create_users: true,
  },
  {
    ...usual,
    id: 'guests',
    name: 'Guests',
    issuer: guests.issuer,
    scopes: ['profile', 'groups'],
    required_claims: { hd: ['example.com'] },
  },
  { ...usual, id: 'gone', name: 'Gone', issuer: gone.issuer },
])
const clock = createTestClock(new Date())
const { db, http, kit, ask } = await openTestHouse({ clock, env: { BASE_URL: BASE, SIGN_IN_PROVIDERS } })
const root = await aMember(db, 'root', 'administrator', '/')
for (const name of ['developers', 'operators', 'administrators', 'by-hand']) {
  const { body } = await ask(root.token, 'POST', '/v1/groups', { name })
  if (name === 'administrators') await aGrant(db, `group:${body['id']}`, 'administrator', '/')
}
const person = (name: string, more: object = {}) => ({
  sub: `sub-${name}`,
  preferred_username: name,
  name: `The ${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  groups: ['dev'],
  ...more,
})
const browse = () => createTestBrowser(http, BASE)
const groupsOf = async (login: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select('groups.name')
    .where('users.login', '=', login)
    .orderBy('groups.name')
    .execute()
  return rows.map(({ name }) => name)
}
const userCalled = (login: string) => db.selectFrom('users').selectAll().where('login', '=', login).executeTakeFirst()
const actionsOf = async (id: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('audit_records')
    .select('action')
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}
const me = async (browser: ReturnType<typeof browse>) => browser.ask('GET', '/v1/auth/me')

beforeEach(async () => {
  // Two requests of each sign-in come from one address here.
  await clock.advance(60_000)
  for (const provider of [company, guests, gone]) {
    provider.person = undefined
    provider.away = provider.changeTokens = undefined
  }
})

describe('the first sign-in', () => {
  test('makes a user, and goes on to the wanted place with a session', async () => {
    company.person = person('ada')
    const browser = browse()
    assert.equal(await browser.signIn('company', '#/t/acme/runs?status=failed'), '#/t/acme/runs?status=failed')
    const { status, body } = await me(browser)
    assert.equal(status, 200, JSON.stringify(body))
    const user = await userCalled('ada')
    assert.ok(user)
    assert.deepEqual([user.name, user.email, user.password_hash], ['The ada', 'ada@example.com', null])
    assert.deepEqual(await groupsOf('ada'), ['developers'])
    assert.deepEqual(await actionsOf(user.id), ['user.created', 'user.identity_linked'])
    const sessions = await browser.ask('GET', '/v1/sessions')
    assert.match(JSON.stringify(sessions.body), /"method":"openid","provider":"company".*Firefox on Linux/)
    assert.equal(browser.cookies.has('__Host-sign-in'), false, 'the spent transaction is forgotten')
  })

  test('the second one finds the user again, whatever the provider calls the person now', async () => {
    company.person = person('bea')
    await browse().signIn('company')
    company.person = { ...person('renamed'), sub: 'sub-bea', email: 'ada@example.com' }
    const browser = browse()
    await browser.signIn('company')
    assert.match(JSON.stringify((await me(browser)).body), /"bea"/)
    assert.equal(await userCalled('renamed'), undefined)
  })

  test('never takes over a local user of the same name or address', async () => {
    const local = await aUser(db, 'cleo')
    await db.updateTable('users').set({ email: 'cleo@example.com' }).where('id', '=', local).execute()
    company.person = person('cleo')
    const browser = browse()
    await browser.signIn('company')
    assert.match(JSON.stringify((await me(browser)).body), /"cleo-2"/)
  })

  test('of one account twice at once makes one user', async () => {
    company.person = person('dana')
    const [one, two] = [browse(), browse()]
    const back = [await one.toProvider('/v1/sign-in/company'), await two.toProvider('/v1/sign-in/company')]
    await Promise.all([one.go(back[0] ?? ''), two.go(back[1] ?? '')])
    assert.equal((await me(one)).status, 200)
    assert.equal((await me(two)).status, 200)
    assert.equal(await userCalled('dana-2'), undefined)
  })

  test('is refused where the provider makes no users, and where a required claim is missing', async () => {
    guests.person = person('eve', { hd: 'example.com' })
    assert.equal(await browse().signIn('guests', '#/runs'), '#/sign-in?error=account_unknown&wanted=%2Fruns')
    guests.person = person('eve', { hd: 'evil.example' })
    assert.equal(await browse().signIn('guests'), '#/sign-in?error=account_refused')
    assert.equal(await userCalled('eve'), undefined)
  })

  test('is refused to the person who declines', async () => {
    const browser = browse()
    assert.equal(await browser.signIn('company', '#/runs'), '#/sign-in?error=denied&wanted=%2Fruns')
    assert.equal(browser.cookies.size, 0)
  })
})

describe('groups', () => {
  test('follow the provider at each sign-in; groups that are not mapped stay as they are', async () => {
    company.person = person('fay', { groups: ['dev', 'ops', 'lost', 'unmapped'] })
    await browse().signIn('company')
    assert.deepEqual(await groupsOf('fay'), ['developers', 'operators'])
    const user = await userCalled('fay')
    const group = await db.selectFrom('groups').select('id').where('name', '=', 'by-hand').executeTakeFirstOrThrow()
    await ask(root.token, 'PUT', `/v1/groups/${group.id}/members/${user?.id}`)
    company.person = person('fay', { groups: ['all-dev'] })
    await browse().signIn('company')
    assert.deepEqual(await groupsOf('fay'), ['by-hand', 'developers'])
    company.person = person('fay', { groups: undefined })
    await browse().signIn('company')
    assert.deepEqual(await groupsOf('fay'), ['by-hand'])
  })

  test('give the rights of today to the first request', async () => {
    company.person = person('gil', { groups: ['boss'] })
    const browser = browse()
    await browser.signIn('company')
    assert.equal((await browser.ask('GET', '/v1/users')).status, 200)
    assert.match(JSON.stringify((await browser.ask('GET', '/v1/users')).body), /"root"/)
    company.person = person('gil', { groups: [] })
    const again = browse()
    await again.signIn('company')
    const { body } = await browser.ask('GET', '/v1/users')
    assert.doesNotMatch(JSON.stringify(body), /"root"/, 'the older session has lost them too')
  })

  test('a membership that was made by hand in a mapped group ends at the next sign-in', async () => {
    company.person = person('hal', { groups: [] })
    await browse().signIn('company')
    const user = await userCalled('hal')
    const group = await db.selectFrom('groups').select('id').where('name', '=', 'operators').executeTakeFirstOrThrow()
    await ask(root.token, 'PUT', `/v1/groups/${group.id}/members/${user?.id}`)
    assert.deepEqual(await groupsOf('hal'), ['operators'])
    await browse().signIn('company')
    assert.deepEqual(await groupsOf('hal'), [])
    assert.deepEqual((await actionsOf(group.id)).slice(-2), ['group.member_added', 'group.member_removed'])
  })
})

describe('a disabled user', () => {
  test('stays out', async () => {
    company.person = person('ivy')
    const before = browse()
    await before.signIn('company')
    const user = await userCalled('ivy')
    await ask(root.token, 'PATCH', `/v1/users/${user?.id}`, { disabled: true })
    assert.equal((await me(before)).status, 401)
    const browser = browse()
    assert.equal(await browser.signIn('company'), '#/sign-in?error=account_disabled')
    assert.equal((await me(browser)).status, 401)
  })
})

describe('the way back is refused', () => {
  const EXPIRED = `${BASE}/#/sign-in?error=expired`

  test('to another browser: nobody is signed in as somebody else by a link', async () => {
    company.person = person('mallory')
    const attacker = browse()
    const link = await attacker.toProvider('/v1/sign-in/company')
    const victim = browse()
    assert.equal((await victim.go(link)).location, EXPIRED)
    assert.equal(victim.cookies.size, 0)
    // Also where the victim is on the way to the provider: that way is not spent.
    company.person = person('victim')
    const own = await victim.toProvider('/v1/sign-in/company')
    assert.equal((await victim.go(link)).location, EXPIRED)
    assert.equal((await victim.go(own)).location, `${BASE}/#/`)
    assert.match(JSON.stringify((await me(victim)).body), /"victim"/)
  })

  test('a second time, with the stolen cookie too', async () => {
    company.person = person('jan')
    const browser = browse()
    const back = await browser.toProvider('/v1/sign-in/company')
    const thief = browse()
    thief.steal(browser.cookies)
    assert.equal((await browser.go(back)).location, `${BASE}/#/`)
    const asked = company.asked.length
    assert.equal((await thief.go(back)).location, EXPIRED)
    assert.equal(company.asked.length, asked, 'the provider is not asked again')
    assert.equal(thief.cookies.has('__Host-session'), false)
  })

  test('to the later of two at the same time; the provider is asked once', async () => {
    company.person = person('kim')
    const browser = browse()
    const back = await browser.toProvider('/v1/sign-in/company')
    const twin = browse()
    twin.steal(browser.cookies)
    const before = company.asked.filter((path) => path === '/token').length
    const answers = await Promise.all([browser.go(back), twin.go(back), browser.go(back), twin.go(back)])
    assert.equal(answers.filter(({ location }) => location === `${BASE}/#/`).length, 1)
    assert.equal(answers.filter(({ location }) => location === EXPIRED).length, 3)
    assert.equal(company.asked.filter((path) => path === '/token').length, before + 1)
  })

  test('after ten minutes', async () => {
    company.person = person('lea')
    const browser = browse()
    const back = await browser.toProvider('/v1/sign-in/company')
    await clock.advance(600_000)
    assert.equal((await browser.go(back)).location, EXPIRED)
  })

  test('at another provider: an answer counts where the browser was sent from', async () => {
    company.person = person('mix')
    const browser = browse()
    const back = await browser.toProvider('/v1/sign-in/company')
    const asked = guests.asked.length
    assert.equal((await browser.go(back.replace('/company/', '/guests/'))).location, EXPIRED)
    assert.equal(guests.asked.length, asked)
  })

  test('with a transaction that somebody made up, changed, or took from elsewhere', async () => {
    company.person = person('nat')
    const browser = browse()
    const back = await browser.toProvider('/v1/sign-in/company')
    const sealed = Buffer.from(browser.cookies.get('__Host-sign-in') ?? '', 'base64url')
    sealed[sealed.length - 20] = (sealed[sealed.length - 20] ?? 0) ^ 1
    const forged = [
      '',
      'x',
      Buffer.from('{"provider":"company"}').toString('base64url'),
      sealed.toString('base64url'),
      kit.sealer.seal('{"provider":"company"}', 'secret:1:1').toString('base64url'),
      kit.sealer.seal('no json', 'sign-in-transaction').toString('base64url'),
      kit.sealer.seal('{"provider":"company"}', 'sign-in-transaction').toString('base64url'),
    ]
    for (const value of forged) {
      const other = browse()
      other.steal(new Map([['__Host-sign-in', value]]))
      assert.equal((await other.go(back)).location, EXPIRED, value)
    }
  })

  test('with the wrong state, no state, or an answer that names another issuer', async () => {
    company.person = person('oda')
    for (const change of [
      (query: URLSearchParams) => query.set('state', 'x'.repeat(43)),
      (query: URLSearchParams) => query.delete('state'),
    ]) {
      const browser = browse()
      const back = new URL(await browser.toProvider('/v1/sign-in/company'), BASE)
      change(back.searchParams)
      assert.equal((await browser.go(back.pathname + back.search)).location, EXPIRED)
    }
    const browser = browse()
    const back = new URL(await browser.toProvider('/v1/sign-in/company'), BASE)
    back.searchParams.set('iss', guests.issuer)
    assert.equal((await browser.go(back.pathname + back.search)).location, `${BASE}/#/sign-in?error=provider_invalid`)
    assert.equal(await userCalled('oda'), undefined)
  })

  test('with a subject that no database should hold', async () => {
    company.person = person('pia', { sub: 's'.repeat(256) })
    assert.equal(await browse().signIn('company'), '#/sign-in?error=provider_invalid')
  })

  test('and shows nothing of what the provider says', async () => {
    const browser = browse()
    company.person = person('quin')
    const back = new URL(await browser.toProvider('/v1/sign-in/company'), BASE)
    const query = new URLSearchParams({
      state: back.searchParams.get('state') ?? '',
      iss: company.issuer,
      error: 'invalid_request',
      error_description: 'Call +1 555 0100 <script>alert(1)</script>',
    })
    const { location, setCookies } = await browser.go(`${back.pathname}?${query}`)
    assert.equal(location, `${BASE}/#/sign-in?error=provider_invalid`)
    assert.doesNotMatch(JSON.stringify(setCookies), /555|script/)
  })
})

describe('the way to the provider', () => {
  test('ends at the page where the provider is not configured, or away', async () => {
    const browser = browse()
    assert.equal(
      (await browser.go('/v1/sign-in/nobody?return_to=%23%2Fx')).location,
      `${BASE}/#/sign-in?error=unknown_provider&wanted=%2Fx`,
    )
    assert.equal(
      (await browser.go('/v1/sign-in/nobody/callback?code=1&state=2')).location,
      `${BASE}/#/sign-in?error=unknown_provider`,
    )
    gone.away = (_request, response) => void response.writeHead(503).end()
    assert.equal((await browser.go('/v1/sign-in/gone')).location, `${BASE}/#/sign-in?error=provider_unreachable`)
  })

  test('ends at the page where the provider goes away before the browser is back', async () => {
    company.person = person('rae')
    const browser = browse()
    const back = await browser.toProvider('/v1/sign-in/company?return_to=%23%2Fruns')
    company.away = (request) => void request.socket.destroy()
    assert.equal((await browser.go(back)).location, `${BASE}/#/sign-in?error=provider_unreachable&wanted=%2Fruns`)
  })

  test('keeps its transaction in a cookie that no page reads and no other site sets', async () => {
    const { setCookies } = await browse().go('/v1/sign-in/company')
    assert.equal(setCookies.length, 1)
    const [name = '', ...attributes] = setCookies[0]?.split('; ') ?? []
    assert.match(name, /^__Host-sign-in=[A-Za-z0-9_-]+$/)
    assert.ok(name.length < 4000)
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure'])
  })

  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '%0d%0aLocation:x',
    '#evil',
    '@evil.example',
    '.evil.example',
    '#/\r\nx',
    '\u2028#/',
  ]
  for (const asked of elsewhere) {
    test(`never leads to ${JSON.stringify(asked)} afterwards`, async () => {
      company.person = person('sam')
      assert.equal(await browse().signIn('company', asked), '#/')
    })
  }

  test('is limited for one address', async () => {
    let location = ''
    for (let count = 0; count < 130 && !location.includes('too_many'); count += 1) {
      location = (await browse().go('/v1/sign-in/company')).location
    }
    assert.equal(location, `${BASE}/#/sign-in?error=too_many_attempts`)
  })
})

test('the last administrator stays one, whatever the provider says', async () => {
  company.person = person('zoe', { groups: ['boss'] })
  const browser = browse()
  await browser.signIn('company')
  assert.equal((await browser.ask('DELETE', '/v1/auth/bootstrap')).status, 204)
  assert.equal((await browser.ask('DELETE', `/v1/users/${root.id}`)).status, 204)
  company.person = person('zoe', { groups: [] })
  assert.equal(await browse().signIn('company'), '#/')
  assert.deepEqual(await groupsOf('zoe'), ['administrators'])
})

test('series count sign-ins by provider and outcome', async () => {
  const { text } = await kit.metrics.render()
  assert.match(text, /signalbox_sign_ins_total\{provider="company",outcome="opened"\} \d+/)
  assert.match(text, /signalbox_sign_ins_total\{provider="company",outcome="refused"\} \d+/)
  assert.match(text, /signalbox_sign_ins_total\{provider="gone",outcome="failed"\} 1/)
  assert.doesNotMatch(text, /provider="nobody"/, 'addresses of nobody make no series')
})

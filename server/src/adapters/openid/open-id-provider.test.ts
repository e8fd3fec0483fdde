import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { systemClock } from '#platform/time'
import { type OpenIdProvider, type OpenIdTransaction, openProviders } from './index.ts'
import { createProviderBrowser, encode, makeSigningKey, readClaims, startLocalProvider } from './testing.ts'

const REDIRECT = 'https://signalbox.example.com/v1/sign-in/local/callback'
const CLIENTS = [
  { id: 'signalbox', secret: 'a secret: with % and +', redirectUris: [REDIRECT] },
  { id: 'other-client', secret: 'another secret', redirectUris: [REDIRECT] },
]
const ADA = {
  sub: 'u-1',
  preferred_username: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  groups: ['dev', 'ops'],
}

const local = await startLocalProvider(CLIENTS)
const second = await startLocalProvider(CLIENTS)
after(async () => {
  await local[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
})
afterEach(() => {
  for (const provider of [local, second]) {
    provider.person = ADA
    provider.away = provider.changeTokens = provider.changeDescription = undefined
  }
})
local.person = second.person = ADA

const settings = {
  id: 'local',
  name: 'Local',
  issuer: local.issuer,
  clientId: 'signalbox',
  clientSecret: 'a secret: with % and +',
  scopes: ['openid', 'profile', 'email', 'groups'],
}

function open(changed: Partial<typeof settings> = {}, clock = systemClock): OpenIdProvider {
  const provider = openProviders([{ ...settings, ...changed }], clock).get('local')
  assert.ok(provider)
  return provider
}

async function begin(provider: OpenIdProvider): Promise<{ url: string; transaction: OpenIdTransaction }> {
  const begun = await provider.begin(REDIRECT)
  assert.equal(begun.outcome, 'begun', JSON.stringify(begun))
  return begun
}

/** The whole way; `change` alters the query with which the browser comes back. */
async function signIn(provider: OpenIdProvider, change: (query: URLSearchParams) => void = () => undefined) {
  const { url, transaction } = await begin(provider)
  const back = new URL(await createProviderBrowser().visit(url))
  assert.equal(`${back.origin}${back.pathname}`, REDIRECT)
  change(back.searchParams)
  return provider.complete(REDIRECT, back.search, transaction)
}

async function assertInvalid(completing: ReturnType<typeof signIn>, about: RegExp): Promise<void> {
  const completed = await completing
  assert.ok(completed.outcome === 'failed' && completed.fault === 'invalid', JSON.stringify(completed))
  assert.match(completed.reason, about)
}

describe('a provider of OpenID Connect', () => {
  test('proves an account, with the claims of the id token and of its userinfo', async () => {
    const completed = await signIn(open())
    assert.equal(completed.outcome, 'proved', JSON.stringify(completed))
    assert.equal(completed.account.issuer, local.issuer)
    assert.equal(completed.account.subject, 'u-1')
    assert.deepEqual(completed.account.claims['groups'], ['dev', 'ops'])
    assert.equal(completed.account.claims['preferred_username'], 'ada')
  })

  test('is asked with PKCE by S256, a state and a nonce, each new', async () => {
    const provider = open()
    const [one, two] = [await begin(provider), await begin(provider)]
    const query = new URL(one.url).searchParams
    assert.equal(query.get('code_challenge_method'), 'S256')
    assert.equal(query.get('redirect_uri'), REDIRECT)
    assert.equal(query.get('response_type'), 'code')
    assert.equal(query.get('state'), one.transaction.state)
    assert.equal(query.get('nonce'), one.transaction.nonce)
    assert.equal(query.has('code_verifier') || one.url.includes(one.transaction.verifier), false)
    for (const name of ['state', 'nonce', 'verifier'] as const) {
      assert.notEqual(one.transaction[name], two.transaction[name])
      assert.ok(one.transaction[name].length >= 43)
    }
  })

  test('tells of the person who refuses', async () => {
    local.person = undefined
    assert.deepEqual(await signIn(open()), { outcome: 'denied' })
  })

  describe('is not believed', () => {
    const forge = (claims: object, header: object = {}, key = local.key) => {
      local.changeTokens = (tokens) => {
        const honest = readClaims(tokens['id_token'])
        return { ...tokens, id_token: key.sign({ ...honest, ...claims }, { ...header }) }
      }
    }

    test('with an id token for another client', async () => {
      forge({ aud: 'other-client' })
      await assertInvalid(signIn(open()), /JWT_CLAIM_COMPARISON.*aud/)
    })
    test('with an id token for several clients that another one asked for', async () => {
      forge({ aud: ['signalbox', 'other-client'], azp: 'other-client' })
      await assertInvalid(signIn(open()), /JWT/)
    })
    test('with an id token of another issuer', async () => {
      forge({ iss: second.issuer })
      await assertInvalid(signIn(open()), /JWT_CLAIM_COMPARISON.*iss/)
    })
    test('with a wrong nonce, and without one', async () => {
      forge({ nonce: 'of-another-sign-in' })
      await assertInvalid(signIn(open()), /JWT_CLAIM_COMPARISON.*nonce/)
      forge({ nonce: undefined })
      await assertInvalid(signIn(open()), /INVALID_RESPONSE|JWT_CLAIM/)
    })
    test('with an id token that has ended, but for a small difference of clocks', async () => {
      const now = Math.floor(Date.now() / 1000)
      forge({ exp: now - 60 })
      await assertInvalid(signIn(open()), /JWT_TIMESTAMP_CHECK.*exp/)
      forge({ exp: now - 10 })
      assert.equal((await signIn(open())).outcome, 'proved')
      forge({ nbf: now + 120 })
      await assertInvalid(signIn(open()), /JWT_TIMESTAMP_CHECK.*nbf/)
    })
    test('with an id token that another key signed', async () => {
      forge({}, {}, makeSigningKey('the-only-one'))
      await assertInvalid(signIn(open()), /INVALID_RESPONSE|INVALID_SIGNATURE/)
    })
    test('with an id token of a key that the provider does not have', async () => {
      forge({}, {}, makeSigningKey('brought-along'))
      await assertInvalid(signIn(open()), /KEY_SELECTION|INVALID_RESPONSE/)
    })
    test('with an unsigned id token', async () => {
      local.changeTokens = (tokens) => {
        const claims = readClaims(tokens['id_token'])
        return { ...tokens, id_token: `${encode({ alg: 'none' })}.${encode(claims)}.` }
      }
      await assertInvalid(signIn(open()), /INVALID_RESPONSE|UNSUPPORTED/)
    })
    test('with an id token that the client secret signs', async () => {
      forge({}, { alg: 'HS256' })
      await assertInvalid(signIn(open()), /INVALID_RESPONSE|UNSUPPORTED/)
    })
    test('without an id token', async () => {
      local.changeTokens = ({ id_token: _, ...tokens }) => tokens
      await assertInvalid(signIn(open()), /INVALID_RESPONSE/)
    })
    test('with claims of somebody else at its userinfo endpoint', async () => {
      forge({ sub: 'u-2' })
      await assertInvalid(signIn(open()), /JSON_ATTRIBUTE_COMPARISON|INVALID_RESPONSE/)
    })
    test('with an answer for another state, without a state, with two', async () => {
      await assertInvalid(
        signIn(open(), (query) => query.set('state', 'another')),
        /INVALID_RESPONSE/,
      )
      await assertInvalid(
        signIn(open(), (query) => query.delete('state')),
        /INVALID_RESPONSE/,
      )
      await assertInvalid(
        signIn(open(), (query) => query.append('state', 'another')),
        /INVALID_RESPONSE/,
      )
    })
    test('with an answer that names another issuer, or none where it always names itself', async () => {
      await assertInvalid(
        signIn(open(), (query) => query.set('iss', second.issuer)),
        /INVALID_RESPONSE/,
      )
      await assertInvalid(
        signIn(open(), (query) => query.delete('iss')),
        /INVALID_RESPONSE/,
      )
    })
    test('with the code of another provider', async () => {
      const elsewhere = open({ issuer: second.issuer })
      const other = new URL(await createProviderBrowser().visit((await begin(elsewhere)).url))
      const code = other.searchParams.get('code') ?? ''
      await assertInvalid(
        signIn(open(), (query) => query.set('code', code)),
        /invalid_grant/,
      )
    })
    test('with the code of another client', async () => {
      const elsewhere = open({ clientId: 'other-client', clientSecret: 'another secret' })
      const other = new URL(await createProviderBrowser().visit((await begin(elsewhere)).url))
      const code = other.searchParams.get('code') ?? ''
      await assertInvalid(
        signIn(open(), (query) => query.set('code', code)),
        /invalid_grant/,
      )
    })
    test('with the code of another sign-in: the verifier of PKCE differs', async () => {
      const provider = open()
      const other = new URL(await createProviderBrowser().visit((await begin(provider)).url))
      const code = other.searchParams.get('code') ?? ''
      await assertInvalid(
        signIn(provider, (query) => query.set('code', code)),
        /invalid_grant/,
      )
    })
    test('a second time with the same code', async () => {
      const provider = open()
      const { url, transaction } = await begin(provider)
      const { search } = new URL(await createProviderBrowser().visit(url))
      assert.equal((await provider.complete(REDIRECT, search, transaction)).outcome, 'proved')
      await assertInvalid(provider.complete(REDIRECT, search, transaction), /invalid_grant/)
    })
    test('with a wrong client secret', async () => {
      await assertInvalid(signIn(open({ clientSecret: 'mistyped' })), /invalid_client/)
    })
    test('with megabytes of claims', async () => {
      local.person = { ...ADA, groups: Array.from({ length: 50_000 }, (_, index) => `a-long-name-of-a-group-${index}`) }
      await assertInvalid(signIn(open()), /answer_too_long|unknown/)
    })
    test('where its description names another issuer, or an address of another kind', async () => {
      local.changeDescription = (description) => ({ ...description, issuer: second.issuer })
      const begun = await open().begin(REDIRECT)
      assert.ok(begun.outcome === 'failed' && begun.fault === 'invalid', JSON.stringify(begun))
      local.changeDescription = undefined
      const other = await open({ issuer: `${local.issuer}/` }).begin(REDIRECT)
      assert.ok(other.outcome === 'failed', 'addresses that mean the same are not the same issuer')
      local.changeDescription = (description) => ({ ...description, authorization_endpoint: 'javascript:alert(1)' })
      const again = await open().begin(REDIRECT)
      assert.ok(again.outcome === 'failed' && /no https address/.test(again.reason), JSON.stringify(again))
    })
    test('and the reason holds no text of the provider', async () => {
      const completed = await signIn(open(), (query) => {
        query.delete('code')
        query.set('error', '<script>alert(1)</script>')
        query.set('error_description', 'call +1 555 0100')
      })
      assert.ok(
        completed.outcome === 'failed' &&
          completed.reason === 'The provider sent the browser back with the error unknown.',
      )
    })
  })

  describe('is away', () => {
    test('where nothing listens, where it answers 503, and where it breaks off', async () => {
      const gone = await open({ issuer: 'http://127.0.0.1:9' }).begin(REDIRECT)
      assert.ok(gone.outcome === 'failed' && gone.fault === 'unreachable', JSON.stringify(gone))
      local.away = (_request, response) => void response.writeHead(503).end()
      const busy = await open().begin(REDIRECT)
      assert.ok(busy.outcome === 'failed' && busy.fault === 'unreachable' && /503/.test(busy.reason))
      local.away = (request) => void request.socket.destroy()
      const broken = await open().begin(REDIRECT)
      assert.ok(broken.outcome === 'failed' && broken.fault === 'unreachable', JSON.stringify(broken))
    })

    test('between the way out and the way back', async () => {
      const provider = open()
      const { url, transaction } = await begin(provider)
      const { search } = new URL(await createProviderBrowser().visit(url))
      local.away = (_request, response) => void response.writeHead(502).end()
      const completed = await provider.complete(REDIRECT, search, transaction)
      assert.ok(completed.outcome === 'failed' && completed.fault === 'unreachable', JSON.stringify(completed))
    })

    test('its description is kept for an hour, renewed, and used for a day while it is away', async () => {
      const clock = createTestClock()
      const provider = open({}, clock)
      const count = () => local.asked.filter((path) => path.endsWith('openid-configuration')).length
      const before = count()
      await Promise.all([begin(provider), begin(provider), begin(provider)])
      assert.equal(count(), before + 1)
      clock.advance(3_601_000)
      await begin(provider)
      assert.equal(count(), before + 2)
      local.away = (_request, response) => void response.writeHead(503).end()
      clock.advance(3_601_000)
      await begin(provider)
      assert.equal(count(), before + 3)
      await begin(provider)
      assert.equal(count(), before + 3, 'it is not asked at each sign-in while it is away')
      clock.advance(25 * 3_600_000)
      const begun = await provider.begin(REDIRECT)
      assert.ok(begun.outcome === 'failed' && begun.fault === 'unreachable')
    })
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuthMode, WebhookHeaders } from '../port.ts'
import { gitlab } from './index.ts'
import { aPushPayload, signDelivery, signPush, tokenDelivery } from './testing.ts'

const AT = new Date('2026-11-21T10:00:00.000Z')
const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const TOKEN = 'correct horse battery staple'

function verify(headers: WebhookHeaders, rawBody: Buffer, authMode: AuthMode, secrets: readonly string[]) {
  const live = secrets.map((secret) => Buffer.from(secret))
  const found = gitlab.webhooks.verify({ headers, rawBody, secrets: live, authMode, receivedAt: AT })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe("GitLab's signing token", () => {
  const { headers, body } = signPush({ secret: SECRET, at: AT })

  test('verifies with either live secret and says with which', () => {
    assert.equal(verify(headers, body, 'signature', [SECRET]), 0)
    assert.equal(verify(headers, body, 'signature', [OTHER, SECRET]), 1)
    assert.equal(verify(headers, body, 'signature', ['', SECRET]), 1)
  })

  test('of another secret, with another body or one bit changed is a mismatch', () => {
    assert.equal(verify(headers, body, 'signature', [OTHER]), 'mismatch')
    assert.equal(verify(headers, Buffer.concat([body, Buffer.from(' ')]), 'signature', [SECRET]), 'mismatch')
    const signature = headers['webhook-signature'] ?? ''
    const flipped = `v1,${signature[3] === 'A' ? 'B' : 'A'}${signature.slice(4)}`
    assert.equal(verify({ ...headers, 'webhook-signature': flipped }, body, 'signature', [SECRET]), 'mismatch')
  })

  test('is over the bytes: invalid UTF-8 verifies, re-serialised JSON does not', () => {
    const odd = signDelivery(Buffer.from([0x7b, 0xff, 0x7d]), { secret: SECRET, at: AT })
    assert.equal(verify(odd.headers, odd.body, 'signature', [SECRET]), 0)
    const escaped = signDelivery(Buffer.from('{"a":"\\u001B"}'), { secret: SECRET, at: AT })
    const again = Buffer.from(JSON.stringify(JSON.parse(escaped.body.toString())))
    assert.equal(verify(escaped.headers, again, 'signature', [SECRET]), 'mismatch')
  })

  test('goes stale after 5 minutes, also from the future', () => {
    for (const seconds of [-301, 301]) {
      const stale = signPush({ secret: SECRET, at: new Date(AT.getTime() + seconds * 1_000) })
      assert.equal(verify(stale.headers, stale.body, 'signature', [SECRET]), 'mismatch')
    }
  })

  test('empty, short, long or of no base64 is a mismatch, and so is one that came twice', () => {
    const right = headers['webhook-signature'] ?? ''
    for (const value of ['', 'v1,', right.slice(0, -5), `${right}AAAA`, `v1,${'zz'.repeat(32)}`, right.slice(3)]) {
      assert.equal(verify({ ...headers, 'webhook-signature': value }, body, 'signature', [SECRET]), 'mismatch', value)
    }
    for (const value of [[right, right], [right], `${right}, ${right}`]) {
      assert.equal(verify({ ...headers, 'webhook-signature': value }, body, 'signature', [SECRET]), 'mismatch')
    }
  })

  test('that is not there is missing, whatever token comes instead', () => {
    const { 'webhook-signature': _, ...unsigned } = headers
    for (const token of [SECRET, TOKEN]) {
      const weaker = { ...unsigned, 'x-gitlab-token': token }
      assert.equal(verify(weaker, body, 'signature', [token]), 'missing')
    }
    const told = gitlab.webhooks.verify({
      headers: { ...unsigned, 'x-gitlab-token': TOKEN },
      rawBody: body,
      secrets: [Buffer.from(TOKEN)],
      authMode: 'signature',
      receivedAt: AT,
    })
    assert.match(told.detail, /as signing token, or use a source with auth_mode "token"/)
  })

  test('that is wrong is not made good by a right token', () => {
    const both = { ...headers, 'x-gitlab-token': SECRET, 'webhook-signature': `v1,${'A'.repeat(43)}=` }
    assert.equal(verify(both, body, 'signature', [SECRET]), 'mismatch')
  })

  test('never verifies with an empty or absent secret', () => {
    for (const secrets of [[], [''], ['', ''], ['whsec_']]) {
      const empty = signPush({ secret: 'whsec_', at: AT })
      assert.equal(verify(empty.headers, empty.body, 'signature', secrets), 'mismatch')
    }
  })

  test("of other providers' headers is missing", () => {
    const foreign = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'x-gitea-signature': '0'.repeat(64) }
    assert.equal(verify(foreign, body, 'signature', [SECRET]), 'missing')
  })
})

describe("GitLab's secret token", () => {
  const { headers, body } = tokenDelivery(aPushPayload(), { secret: TOKEN })

  test('verifies with either live secret and says with which', () => {
    assert.equal(verify(headers, body, 'token', [TOKEN]), 0)
    assert.equal(verify(headers, body, 'token', ['next', TOKEN]), 1)
    assert.equal(verify(headers, body, 'token', ['', TOKEN]), 1)
  })

  test('comes without the line breaks of the secret', () => {
    assert.equal(verify(headers, body, 'token', [`${TOKEN}\n`]), 0)
    assert.equal(verify(headers, body, 'token', ['correct horse\r\n battery staple']), 0)
  })

  test('of another secret or length is a mismatch, and so is one that came twice', () => {
    assert.equal(verify(headers, body, 'token', ['other']), 'mismatch')
    assert.equal(verify(headers, body, 'token', [`${TOKEN}!`]), 'mismatch')
    for (const value of ['', [TOKEN, TOKEN], [TOKEN], `${TOKEN}, ${TOKEN}`]) {
      assert.equal(verify({ ...headers, 'x-gitlab-token': value }, body, 'token', [TOKEN]), 'mismatch')
    }
  })

  test('that is not there is missing, also where a signature is', () => {
    const signed = signPush({ secret: SECRET, at: AT })
    assert.equal(verify(signed.headers, signed.body, 'token', [SECRET]), 'missing')
  })

  test('never verifies with an empty or absent secret', () => {
    for (const secrets of [[], [''], ['\n'], ['\r\n', '']]) {
      assert.equal(verify({ ...headers, 'x-gitlab-token': '' }, body, 'token', secrets), 'mismatch')
      assert.equal(verify({ ...headers, 'x-gitlab-token': '\n' }, body, 'token', secrets), 'mismatch')
      assert.equal(verify(headers, body, 'token', secrets), 'mismatch')
    }
  })
})

test('signing tokens come first among the modes, and a mode that GitLab lacks verifies nothing', () => {
  assert.deepEqual(gitlab.webhooks.authModes, ['signature', 'token'])
  const { headers, body } = tokenDelivery(aPushPayload(), { secret: TOKEN })
  const basic = { ...headers, authorization: `Basic ${Buffer.from(TOKEN).toString('base64')}` }
  assert.equal(verify(basic, body, 'basic', [TOKEN]), 'mismatch')
})

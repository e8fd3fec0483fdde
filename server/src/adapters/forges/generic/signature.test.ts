import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import type { WebhookHeaders } from '../port.ts'
import { generic } from './index.ts'
import { aPushPayload, signBareDelivery, signDelivery } from './testing.ts'

const AT = new Date('2026-11-21T10:00:00.000Z')
const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const PLAIN = 'correct horse battery staple'

function verify(headers: WebhookHeaders, rawBody: Buffer, secrets: readonly string[], authMode = 'signature' as const) {
  const live = secrets.map((secret) => Buffer.from(secret))
  const found = generic.webhooks.verify({ headers, rawBody, secrets: live, authMode, receivedAt: AT })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe('a delivery by Standard Webhooks', () => {
  const { headers, body } = signDelivery(aPushPayload(), { secret: SECRET, at: AT })

  test('verifies with either live secret, prefixed or not, and says with which', () => {
    assert.equal(verify(headers, body, [SECRET]), 0)
    assert.equal(verify(headers, body, [PLAIN, SECRET]), 1)
    const plain = signDelivery(aPushPayload(), { secret: PLAIN, at: AT })
    assert.equal(verify(plain.headers, plain.body, [SECRET, PLAIN]), 1)
  })

  test('verifies with a public key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const secret = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`
    const content = Buffer.concat([Buffer.from(`msg_1.${AT.getTime() / 1_000}.`), body])
    const signed = {
      ...headers,
      'webhook-id': 'msg_1',
      'webhook-signature': `v1a,${sign(null, content, privateKey).toString('base64')}`,
    }
    assert.equal(verify(signed, body, [secret]), 0)
    assert.equal(verify(signed, Buffer.concat([body, body]), [secret]), 'mismatch')
  })

  test('of another secret, another body or one bit changed is a mismatch', () => {
    assert.equal(verify(headers, body, ['whsec_AAAA']), 'mismatch')
    assert.equal(verify(headers, Buffer.concat([body, Buffer.from(' ')]), [SECRET]), 'mismatch')
    const signature = headers['webhook-signature'] ?? ''
    const flipped = `v1,${signature[3] === 'A' ? 'B' : 'A'}${signature.slice(4)}`
    assert.equal(verify({ ...headers, 'webhook-signature': flipped }, body, [SECRET]), 'mismatch')
  })

  test('goes stale after 5 minutes', () => {
    const stale = signDelivery(aPushPayload(), { secret: SECRET, at: new Date(AT.getTime() - 301_000) })
    assert.equal(verify(stale.headers, stale.body, [SECRET]), 'mismatch')
  })
})

describe('a delivery signed as GitHub signs', () => {
  const { headers, body } = signBareDelivery(aPushPayload(), { secret: PLAIN })

  test('verifies with either live secret and says with which', () => {
    assert.equal(verify(headers, body, [PLAIN]), 0)
    assert.equal(verify(headers, body, ['next', PLAIN]), 1)
    assert.equal(verify(headers, body, [SECRET, PLAIN]), 1)
    assert.equal(verify(headers, body, ['', PLAIN]), 1)
  })

  test('of another secret, another body, or without a digest is a mismatch', () => {
    assert.equal(verify(headers, body, ['other']), 'mismatch')
    assert.equal(verify(headers, Buffer.concat([body, Buffer.from(' ')]), [PLAIN]), 'mismatch')
    const right = headers['x-hub-signature-256'] ?? ''
    for (const value of [
      '',
      'sha256=',
      right.slice(0, -2),
      `${right}00`,
      `sha256=${'zz'.repeat(32)}`,
      right.slice(7),
    ]) {
      assert.equal(verify({ ...headers, 'x-hub-signature-256': value }, body, [PLAIN]), 'mismatch', value)
    }
    for (const value of [[right, right], [right], `${right}, ${right}`]) {
      assert.equal(verify({ ...headers, 'x-hub-signature-256': value }, body, [PLAIN]), 'mismatch')
    }
  })
})

describe('the weaker signature', () => {
  test('is never looked at with a secret for Standard Webhooks, even when it is right', () => {
    for (const secret of [SECRET, 'whsec_', 'whpk_AAAA', 'whsk_AAAA']) {
      const bare = signBareDelivery(aPushPayload(), { secret })
      assert.equal(verify(bare.headers, bare.body, [secret]), 'missing', secret)
      assert.equal(verify(bare.headers, bare.body, [secret, PLAIN]), 'mismatch', secret)
    }
    const decoded = Buffer.from(SECRET.slice('whsec_'.length), 'base64').toString('latin1')
    const bare = signBareDelivery(aPushPayload(), { secret: decoded })
    assert.equal(verify(bare.headers, bare.body, [SECRET]), 'missing')
  })

  test('does not make good a webhook-signature that is wrong', () => {
    const bare = signBareDelivery(aPushPayload(), { secret: PLAIN })
    const wrong = signDelivery(aPushPayload(), { secret: 'other', at: AT })
    assert.equal(verify({ ...wrong.headers, ...bare.headers }, bare.body, [PLAIN]), 'mismatch')
    assert.equal(verify({ ...bare.headers, 'webhook-signature': '' }, bare.body, [PLAIN]), 'mismatch')
  })

  test('is not made of the other: what one signs is never what the other does', () => {
    const signed = signDelivery(aPushPayload(), { secret: PLAIN, at: AT })
    const content = `${signed.headers['webhook-id']}.${signed.headers['webhook-timestamp']}.${signed.body}`
    const digest = Buffer.from((signed.headers['webhook-signature'] ?? '').slice(3), 'base64').toString('hex')
    assert.equal(digest, createHmac('sha256', PLAIN).update(content).digest('hex'))
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` }
    assert.equal(verify(headers, signed.body, [PLAIN]), 'mismatch')
    // The whole of what was signed does verify as a body, but no id, time and body in a row are a JSON object.
    assert.equal(generic.webhooks.read(headers, Buffer.from(content)).kind, 'unreadable')
  })

  test('by SHA-1 is missing', () => {
    const { body } = signBareDelivery(aPushPayload(), { secret: PLAIN })
    const sha1 = `sha1=${createHmac('sha1', PLAIN).update(body).digest('hex')}`
    assert.equal(verify({ 'x-hub-signature': sha1 }, body, [PLAIN]), 'missing')
  })
})

test('nothing verifies with an empty or absent secret', () => {
  for (const secrets of [[], [''], ['', '']]) {
    const bare = signBareDelivery(aPushPayload(), { secret: '' })
    assert.equal(verify(bare.headers, bare.body, secrets), 'missing')
    const signed = signDelivery(aPushPayload(), { secret: '', at: AT })
    assert.equal(verify(signed.headers, signed.body, secrets), 'mismatch')
  }
})

test('a token or a password is no signature', () => {
  const { headers, body } = signBareDelivery(aPushPayload(), { secret: PLAIN })
  for (const authMode of ['token', 'basic'] as const) {
    const request = { headers, rawBody: body, secrets: [Buffer.from(PLAIN)], authMode, receivedAt: AT }
    assert.equal(generic.webhooks.verify(request).outcome, 'mismatch')
  }
  assert.equal(verify({ 'x-gitlab-token': PLAIN, authorization: `Bearer ${PLAIN}` }, body, [PLAIN]), 'missing')
})

import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import type { WebhookHeaders } from '../port.ts'
import { generic } from './index.ts'
import { aPushPayload, signBareDelivery, signDelivery } from './testing.ts'

/** The rules of generic alone; verification.test.ts has the rest. */

const AT = new Date('2026-11-21T10:00:00.000Z')
const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const PLAIN = 'correct horse battery staple'

function verify(headers: WebhookHeaders, rawBody: Buffer, secrets: readonly string[]) {
  const live = secrets.map((secret) => Buffer.from(secret))
  const found = generic.webhooks.verify({ headers, rawBody, secrets: live, authMode: 'signature', receivedAt: AT })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe('a delivery by Standard Webhooks', () => {
  const { headers, body } = signDelivery(aPushPayload(), { secret: SECRET, at: AT })

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

  test('verifies, and goes stale after 5 minutes', () => {
    assert.equal(verify(headers, body, [PLAIN, SECRET]), 1)
    const stale = signDelivery(aPushPayload(), { secret: SECRET, at: new Date(AT.getTime() - 301_000) })
    assert.equal(verify(stale.headers, stale.body, [SECRET]), 'mismatch')
  })
})

describe('the weaker signature', () => {
  test('is never looked at with a secret for Standard Webhooks, even when it is right', () => {
    for (const secret of [SECRET, 'whsec_', 'whpk_AAAA', 'whsk_AAAA']) {
      const bare = signBareDelivery(aPushPayload(), { secret })
      assert.equal(verify(bare.headers, bare.body, [secret]), 'missing', secret)
      assert.equal(verify(bare.headers, bare.body, [secret, PLAIN]), 'mismatch', secret)
    }
    const plain = signBareDelivery(aPushPayload(), { secret: PLAIN })
    assert.equal(verify(plain.headers, plain.body, [SECRET, PLAIN]), 1)
    const decoded = Buffer.from(SECRET.slice('whsec_'.length), 'base64').toString('latin1')
    const bare = signBareDelivery(aPushPayload(), { secret: decoded })
    assert.equal(verify(bare.headers, bare.body, [SECRET]), 'missing')
  })

  test('is not made of the other: what one signs is never what the other does', () => {
    const signed = signDelivery(aPushPayload(), { secret: PLAIN, at: AT })
    const content = `${signed.headers['webhook-id']}.${signed.headers['webhook-timestamp']}.${signed.body}`
    const digest = Buffer.from((signed.headers['webhook-signature'] ?? '').slice(3), 'base64').toString('hex')
    assert.equal(digest, createHmac('sha256', PLAIN).update(content).digest('hex'))
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` }
    assert.equal(verify(headers, signed.body, [PLAIN]), 'mismatch')
    // The whole signed text does verify as a body, but id, time and body in a row are no JSON object.
    assert.equal(generic.webhooks.read(headers, Buffer.from(content)).kind, 'unreadable')
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

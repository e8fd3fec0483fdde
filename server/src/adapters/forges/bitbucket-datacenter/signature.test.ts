import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import type { AuthMode, WebhookHeaders } from '../port.ts'
import { bitbucketDatacenter } from './index.ts'
import { aPushPayload, authenticateDelivery, signDelivery } from './testing.ts'

const SECRET = 'signalbox:correct horse'

function outcome(
  headers: WebhookHeaders,
  rawBody: Buffer,
  authMode: AuthMode = 'signature',
  secrets: readonly string[] = [SECRET],
) {
  const found = bitbucketDatacenter.webhooks.verify({
    headers,
    rawBody,
    secrets: secrets.map((secret) => Buffer.from(secret)),
    authMode,
    receivedAt: new Date('2026-11-21T10:00:00.000Z'),
  })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe("Bitbucket Data Center's signature", () => {
  const { headers, body } = signDelivery(aPushPayload(), { secret: SECRET })
  const right = headers['x-hub-signature'] ?? ''
  const digest = right.slice('sha256='.length)

  test('verifies with either live secret and says with which', () => {
    assert.equal(outcome(headers, body, 'signature', [SECRET, 'next']), 0)
    assert.equal(outcome(headers, body, 'signature', ['next', SECRET]), 1)
    assert.equal(outcome(headers, body, 'signature', ['', SECRET]), 1)
  })

  test('with another secret, another body or one bit changed is a mismatch', () => {
    assert.equal(outcome(headers, body, 'signature', ['other']), 'mismatch')
    assert.equal(outcome(headers, Buffer.concat([body, Buffer.from(' ')])), 'mismatch')
    const flipped = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0')
    assert.equal(outcome({ ...headers, 'x-hub-signature': flipped }, body), 'mismatch')
  })

  test('empty, short, long, of another algorithm or given twice is a mismatch', () => {
    const sha1 = `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`
    const sha512 = `sha512=${createHmac('sha512', SECRET).update(body).digest('hex')}`
    for (const value of [
      '',
      'sha256=',
      `sha256=${digest.slice(2)}`,
      `sha256=${digest}00`,
      `sha256=${'zz'.repeat(32)}`,
      digest,
      sha1,
      sha512,
      `${right}, ${right}`,
      [right, right],
    ]) {
      assert.equal(outcome({ ...headers, 'x-hub-signature': value }, body), 'mismatch', String(value))
    }
  })

  test('never verifies with an empty or absent secret', () => {
    const empty = signDelivery(aPushPayload(), { secret: '' })
    assert.equal(outcome(empty.headers, empty.body, 'signature', ['']), 'mismatch')
    assert.equal(outcome(empty.headers, empty.body, 'signature', []), 'mismatch')
  })

  test('is missing where only the right user and password came', () => {
    const other = authenticateDelivery(aPushPayload(), { credentials: SECRET })
    assert.equal(outcome(other.headers, other.body), 'missing')
  })
})

describe("Bitbucket Data Center's user and password", () => {
  const { headers, body } = authenticateDelivery(aPushPayload(), { credentials: SECRET })

  test('verify with either live secret, whatever the body', () => {
    assert.equal(outcome(headers, body, 'basic', [SECRET, 'signalbox:next']), 0)
    assert.equal(outcome(headers, body, 'basic', ['signalbox:next', SECRET]), 1)
  })

  test('that are others, or given twice, are a mismatch', () => {
    assert.equal(outcome(headers, body, 'basic', ['signalbox:other']), 'mismatch')
    const twice = [headers['authorization'] ?? '', headers['authorization'] ?? '']
    assert.equal(outcome({ ...headers, authorization: twice }, body, 'basic'), 'mismatch')
    assert.equal(outcome({ ...headers, authorization: twice.join(', ') }, body, 'basic'), 'mismatch')
  })

  test('are missing where only a signature came, even a right one', () => {
    const signed = signDelivery(aPushPayload(), { secret: SECRET })
    assert.equal(outcome(signed.headers, signed.body, 'basic'), 'missing')
  })
})

test('a shared token is no mode of Bitbucket Data Center', () => {
  const { headers, body } = signDelivery(aPushPayload(), { secret: SECRET })
  assert.equal(outcome({ ...headers, 'x-gitlab-token': SECRET }, body, 'token'), 'mismatch')
})

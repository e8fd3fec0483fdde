import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import type { AuthMode, WebhookHeaders } from '../port.ts'
import { bitbucket } from './index.ts'
import { aPushPayload, signDelivery } from './testing.ts'

const SECRET = "It's a Secret to Everybody"

function outcome(
  headers: WebhookHeaders,
  rawBody: Buffer,
  secrets: readonly string[] = [SECRET],
  authMode: AuthMode = 'signature',
) {
  const found = bitbucket.webhooks.verify({
    headers,
    rawBody,
    secrets: secrets.map((secret) => Buffer.from(secret)),
    authMode,
    receivedAt: new Date('2026-11-21T10:00:00.000Z'),
  })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe("Bitbucket Cloud's signature", () => {
  const { headers, body } = signDelivery(aPushPayload(), { secret: SECRET })
  const right = headers['x-hub-signature'] ?? ''
  const digest = right.slice('sha256='.length)

  test("matches the example of Atlassian's documentation", () => {
    const example = { 'x-hub-signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9' }
    assert.equal(outcome(example, Buffer.from('Hello World!')), 0)
  })

  test('verifies with either live secret and says with which', () => {
    assert.equal(outcome(headers, body, [SECRET, 'next']), 0)
    assert.equal(outcome(headers, body, ['next', SECRET]), 1)
    assert.equal(outcome(headers, body, ['', SECRET]), 1)
  })

  test('with another secret, another body or one bit changed is a mismatch', () => {
    assert.equal(outcome(headers, body, ['other']), 'mismatch')
    assert.equal(outcome(headers, Buffer.concat([body, Buffer.from(' ')])), 'mismatch')
    const flipped = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0')
    assert.equal(outcome({ ...headers, 'x-hub-signature': flipped }, body), 'mismatch')
  })

  test('empty, short, long, without hexadecimal digits or without prefix is a mismatch', () => {
    for (const value of [
      '',
      'sha256=',
      `sha256=${digest.slice(2)}`,
      `sha256=${digest}00`,
      `sha256=${'zz'.repeat(32)}`,
      digest,
      `${right}\n`,
    ]) {
      assert.equal(outcome({ ...headers, 'x-hub-signature': value }, body), 'mismatch', value)
    }
  })

  test('of SHA-1, as this header holds elsewhere, is a mismatch', () => {
    const sha1 = `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`
    assert.equal(outcome({ ...headers, 'x-hub-signature': sha1 }, body), 'mismatch')
  })

  test('given twice is a mismatch, even when both are right', () => {
    for (const value of [[right, right], [right], `${right}, ${right}`]) {
      assert.equal(outcome({ ...headers, 'x-hub-signature': value }, body), 'mismatch')
    }
  })

  test('never verifies with an empty or absent secret', () => {
    const empty = signDelivery(aPushPayload(), { secret: '' })
    assert.equal(outcome(empty.headers, empty.body, ['']), 'mismatch')
    assert.equal(outcome(empty.headers, empty.body, []), 'mismatch')
  })

  test("in another provider's header, or a password beside none, is missing", () => {
    const { 'x-hub-signature': _, ...rest } = headers
    assert.equal(outcome(rest, body), 'missing')
    assert.equal(outcome({ ...rest, 'x-hub-signature-256': right }, body), 'missing')
    const authorization = `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`
    assert.equal(outcome({ ...rest, authorization }, body, [`user:${SECRET}`]), 'missing')
  })

  test('is its only mode', () => {
    assert.equal(outcome(headers, body, [SECRET], 'basic'), 'mismatch')
    assert.equal(outcome({ ...headers, 'x-gitlab-token': SECRET }, body, [SECRET], 'token'), 'mismatch')
  })
})

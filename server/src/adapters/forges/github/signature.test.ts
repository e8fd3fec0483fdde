import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import type { WebhookHeaders } from '../port.ts'
import { github } from './index.ts'
import { signDelivery, signPush } from './testing.ts'

const SECRET = "It's a Secret to Everybody"

function outcome(headers: WebhookHeaders, rawBody: Buffer, secrets: readonly string[] = [SECRET]) {
  return github.webhooks.verify({
    headers,
    rawBody,
    secrets: secrets.map((secret) => Buffer.from(secret)),
    authMode: 'signature',
    receivedAt: new Date('2026-11-21T10:00:00.000Z'),
  })
}

describe("GitHub's signature", () => {
  test("matches the example of GitHub's documentation", () => {
    const headers = { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' }
    assert.equal(outcome(headers, Buffer.from('Hello, World!')).outcome, 'verified')
  })

  test('verifies with either live secret and says with which', () => {
    const { headers, body } = signPush({ secret: SECRET })
    assert.deepEqual(pick(outcome(headers, body, [SECRET, 'next'])), ['verified', 0])
    assert.deepEqual(pick(outcome(headers, body, ['next', SECRET])), ['verified', 1])
    assert.deepEqual(pick(outcome(headers, body, ['', SECRET])), ['verified', 1])
  })

  test('is over the bytes: invalid UTF-8 verifies, re-serialised JSON does not', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const odd = signDelivery(bytes, { secret: SECRET })
    assert.equal(outcome(odd.headers, odd.body).outcome, 'verified')

    const escaped = signDelivery(Buffer.from('{"a":"\\u001B"}'), { secret: SECRET })
    const again = Buffer.from(JSON.stringify(JSON.parse(escaped.body.toString())))
    assert.equal(outcome(escaped.headers, again).outcome, 'mismatch')
  })

  test('with another secret, another body or one bit changed is a mismatch', () => {
    const { headers, body } = signPush({ secret: SECRET })
    assert.equal(outcome(headers, body, ['other']).outcome, 'mismatch')
    assert.equal(outcome(headers, Buffer.concat([body, Buffer.from(' ')])).outcome, 'mismatch')
    const signature = headers['x-hub-signature-256'] ?? ''
    const flipped = signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0')
    assert.equal(outcome({ ...headers, 'x-hub-signature-256': flipped }, body).outcome, 'mismatch')
  })

  test('empty, short, long, without hexadecimal digits or without prefix is a mismatch', () => {
    const { headers, body } = signPush({ secret: SECRET })
    const digest = (headers['x-hub-signature-256'] ?? '').slice('sha256='.length)
    for (const value of [
      '',
      'sha256=',
      `sha256=${digest.slice(2)}`,
      `sha256=${digest}00`,
      `sha256=${'zz'.repeat(32)}`,
      digest,
      `sha512=${digest}`,
      ` sha256=${digest}`,
      `sha256=${digest}\n`,
    ]) {
      assert.equal(outcome({ ...headers, 'x-hub-signature-256': value }, body).outcome, 'mismatch', value)
    }
  })

  test('given twice is a mismatch, even when both are right', () => {
    const { headers, body } = signPush({ secret: SECRET })
    const right = headers['x-hub-signature-256'] ?? ''
    for (const value of [[right, right], [right], `${right}, ${right}`]) {
      assert.equal(outcome({ ...headers, 'x-hub-signature-256': value }, body).outcome, 'mismatch')
    }
  })

  test('of SHA-1 only is missing, not a weaker proof', () => {
    const { headers, body } = signPush({ secret: SECRET })
    const sha1 = `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`
    const { 'x-hub-signature-256': _, ...rest } = headers
    assert.equal(outcome({ ...rest, 'x-hub-signature': sha1 }, body).outcome, 'missing')
    assert.equal(outcome({ ...headers, 'x-hub-signature-256': sha1 }, body).outcome, 'mismatch')
  })

  test('never verifies with an empty or absent secret', () => {
    const { headers, body } = signPush({ secret: '' })
    assert.equal(outcome(headers, body, ['']).outcome, 'mismatch')
    assert.equal(outcome(headers, body, ['', '']).outcome, 'mismatch')
    assert.equal(outcome(headers, body, []).outcome, 'mismatch')
  })

  test("of another provider's headers is missing", () => {
    const { headers, body } = signPush({ secret: SECRET })
    const digest = (headers['x-hub-signature-256'] ?? '').slice('sha256='.length)
    assert.equal(outcome({ 'x-gitea-signature': digest, 'x-gogs-signature': digest }, body).outcome, 'missing')
  })
})

function pick(found: ReturnType<typeof outcome>) {
  return [found.outcome, found.outcome === 'verified' ? found.secretIndex : null]
}

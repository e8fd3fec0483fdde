import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import type { AuthMode, WebhookHeaders } from '../port.ts'
import { azureDevops } from './index.ts'
import { aPushPayload, authenticateDelivery } from './testing.ts'

const SECRET = 'signalbox:correct horse'

function outcome(headers: WebhookHeaders, secrets: readonly string[] = [SECRET], authMode: AuthMode = 'basic') {
  const found = azureDevops.webhooks.verify({
    headers,
    rawBody: Buffer.from('{}'),
    secrets: secrets.map((secret) => Buffer.from(secret)),
    authMode,
    receivedAt: new Date('2026-11-21T10:00:00.000Z'),
  })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe("Azure DevOps's user and password", () => {
  const { headers } = authenticateDelivery(aPushPayload(), { credentials: SECRET })
  const right = headers['authorization'] ?? ''

  test('verify with either live secret and say with which', () => {
    assert.equal(outcome(headers, [SECRET, 'signalbox:next']), 0)
    assert.equal(outcome(headers, ['signalbox:next', SECRET]), 1)
    assert.equal(outcome(headers, ['', SECRET]), 1)
  })

  test('that are others, cut, changed by one bit or given twice are a mismatch', () => {
    assert.equal(outcome(headers, ['signalbox:other']), 'mismatch')
    const encoded = Buffer.from(SECRET.replace('horse', 'horsf')).toString('base64')
    for (const authorization of [
      '',
      'Basic ',
      right.slice(0, -4),
      `${right}AAAA`,
      `Basic ${encoded}`,
      'Basic !!!!',
      `${right}, ${right}`,
      [right, right],
    ]) {
      assert.equal(outcome({ ...headers, authorization }), 'mismatch', String(authorization))
    }
  })

  test('never verify with an empty or absent secret', () => {
    for (const empty of ['', ':', 'signalbox:']) {
      const sent = authenticateDelivery(aPushPayload(), { credentials: empty })
      assert.equal(outcome(sent.headers, [empty]), 'mismatch')
      assert.equal(outcome(sent.headers, []), 'mismatch')
    }
  })

  test("are missing where only something else came, such as another provider's signature", () => {
    const digest = createHmac('sha256', SECRET).update('{}').digest('hex')
    const others = { 'x-hub-signature': `sha256=${digest}`, 'x-gitlab-token': SECRET, 'x-api-key': SECRET }
    assert.equal(outcome({ 'content-type': 'application/json', ...others }), 'missing')
  })

  test('are the only mode: it signs nothing', () => {
    const digest = createHmac('sha256', SECRET).update('{}').digest('hex')
    const signed = { ...headers, 'x-hub-signature-256': `sha256=${digest}`, 'x-gitlab-token': SECRET }
    assert.equal(outcome(signed, [SECRET], 'signature'), 'mismatch')
    assert.equal(outcome(signed, [SECRET], 'token'), 'mismatch')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type HealthFacts, judgeHealth } from './health.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const well: HealthFacts = {
  enabled: true,
  provider: 'GitLab',
  pausesAfter: 4,
  now,
  lastDeliveryAt: now,
  rejectedInARow: 0,
  provedInARow: 0,
  newestRefusal: null,
}
const refusal = { statusCode: 401, reason: 'The token does not match.' }

describe('the health of a source', () => {
  const cases: [string, Partial<HealthFacts>, string, RegExp][] = [
    ['what comes is answered well', {}, 'healthy', /answered well/],
    ['nothing came yet', { lastDeliveryAt: null }, 'unused', /payload URL .*GitLab/],
    ['it is disabled, whatever came', { enabled: false, rejectedInARow: 9, newestRefusal: refusal }, 'disabled', /404/],
    ['one forgery is no failure', { rejectedInARow: 2, newestRefusal: refusal }, 'healthy', /well/],
    [
      'three in a row are',
      { rejectedInARow: 3, newestRefusal: refusal },
      'failing',
      /newest 3 answers .*401: The token/,
    ],
    [
      'a provider that knows no mercy',
      { pausesAfter: 1, rejectedInARow: 1, provedInARow: 1, newestRefusal: refusal },
      'failing',
      /^The newest answer was/,
    ],
    ['and of whom nothing came', { pausesAfter: 1, rejectedInARow: 2, newestRefusal: refusal }, 'healthy', /well/],
    [
      'as many as the provider takes, if they are its own',
      { rejectedInARow: 4, provedInARow: 3, newestRefusal: refusal },
      'failing',
      /Nothing proves that GitLab sent them; if it did/,
    ],
    [
      'a provider that never pauses',
      { pausesAfter: null, rejectedInARow: 3, newestRefusal: refusal },
      'failing',
      /401/,
    ],
    ['nothing came for a month', { lastDeliveryAt: new Date('2026-10-01T00:00:00Z') }, 'silent', /since 2026-10-01/],
  ]
  for (const [name, facts, status, sentence] of cases) {
    test(`${name}: ${status}`, () => {
      const verdict = judgeHealth({ ...well, ...facts })
      assert.equal(verdict.status, status)
      assert.match(verdict.sentence, sentence)
    })
  }

  test('a webhook is probably paused once the provider counted enough, and is said to be', () => {
    const proved = (count: number, facts: Partial<HealthFacts> = {}) =>
      judgeHealth({ ...well, newestRefusal: refusal, rejectedInARow: count, provedInARow: count, ...facts })
    assert.equal(proved(3).probablyPaused, false)
    assert.equal(proved(4).probablyPaused, true)
    assert.match(proved(4).sentence, /GitLab has probably paused/)
    assert.equal(proved(1000, { pausesAfter: null }).probablyPaused, false)
    assert.equal(proved(1000, { provedInARow: 3 }).probablyPaused, false)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callForge, type ForgeCall } from './api-client.ts'
import type { ForgeFailure } from './port.ts'
import { type ForgeDoubleReply, openForgeDouble } from './testing.ts'

/** What a caller learns of a refusal beside its sentence: the cause, the status, and how long to wait. */

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT'
const RESET = String(Date.parse(DATE) / 1000 + 90)
const SUSPENDED = { message: 'This installation has been suspended', status: '403' }

async function fail(
  t: Parameters<typeof openForgeDouble>[0],
  reply: ForgeDoubleReply,
  call: Partial<ForgeCall> = {},
): Promise<ForgeFailure> {
  const double = await openForgeDouble(t, [{ method: 'GET', path: '/thing', reply }])
  const answer = await callForge(double.connection('ghs_secret'), { ...call, path: '/thing' })
  assert.ok(answer.outcome === 'failed', JSON.stringify(answer))
  return answer
}

describe('a limit of the rate', () => {
  const cases: readonly (readonly [string, ForgeDoubleReply, number | undefined])[] = [
    ['by seconds', { status: 429, headers: { 'retry-after': '60' } }, 60_000],
    ['by a date', { status: 429, headers: { date: DATE, 'retry-after': 'Wed, 21 Oct 2026 07:29:30 GMT' } }, 90_000],
    [
      'by a date that is past',
      { status: 429, headers: { date: DATE, 'retry-after': 'Wed, 21 Oct 2026 07:00:00 GMT' } },
      0,
    ],
    [
      'by the end of the window',
      { status: 403, headers: { date: DATE, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': RESET } },
      90_000,
    ],
    [
      'as GitLab writes it',
      { status: 429, headers: { date: DATE, 'ratelimit-remaining': '0', 'ratelimit-reset': RESET } },
      90_000,
    ],
    ['in words only', { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } }, 60_000],
    ['for years', { status: 429, headers: { 'retry-after': '999999999' } }, 86_400_000],
    ['without a time', { status: 429 }, undefined],
    ['by no time', { status: 429, headers: { date: DATE, 'retry-after': 'soon' } }, undefined],
    [
      'with calls left',
      { status: 429, headers: { date: DATE, 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': RESET } },
      undefined,
    ],
  ]
  for (const [what, reply, retryAfterMs] of cases) {
    test(`${what} says how long to wait`, async (t) => {
      const failure = await fail(t, reply)
      assert.equal(failure.cause, 'limited')
      assert.equal(failure.retry, true)
      assert.equal(failure.retryAfterMs, retryAfterMs)
      const seconds = /; ask again in (\d+) s\.$/.exec(failure.reason)?.[1]
      assert.equal(seconds, retryAfterMs ? String(retryAfterMs / 1000) : undefined)
    })
  }
})

describe('another failure', () => {
  const cases: readonly (readonly [string, ForgeDoubleReply, Partial<ForgeFailure>])[] = [
    ['401', { status: 401 }, { cause: 'refused', status: 401 }],
    [
      '403',
      { status: 403, body: { message: 'Resource not accessible by integration' } },
      { cause: 'refused', status: 403 },
    ],
    ['a suspended installation', { status: 403, body: SUSPENDED }, { cause: 'suspended', status: 403 }],
    ['a 403 that is no JSON', { status: 403, body: '<html>has been suspended' }, { cause: 'refused', status: 403 }],
    [
      'a 403 of 1 MB',
      { status: 403, body: JSON.stringify({ message: 'x'.repeat(1_000_000) }) },
      { cause: 'refused', status: 403 },
    ],
    ['422', { status: 422, body: SUSPENDED }, { status: 422 }],
    ['502', { status: 502 }, { status: 502, retry: true }],
    [
      '503 with a time',
      { status: 503, headers: { 'retry-after': '7' } },
      { status: 503, retry: true, retryAfterMs: 7_000 },
    ],
    ['302', { status: 302 }, { status: 302 }],
    ['no JSON', { status: 200, body: '<html>' }, { cause: 'invalid', status: 200 }],
    [
      '20,000 nested lists',
      { status: 200, body: `${'['.repeat(20_000)}${']'.repeat(20_000)}` },
      { cause: 'invalid', status: 200 },
    ],
    ['a cut connection', 'reset', { cause: 'unreachable', retry: true }],
    [
      'a cut body',
      { status: 200, headers: { 'content-length': '9', connection: 'close' }, body: '[' },
      { cause: 'unreachable', status: 200, retry: true },
    ],
  ]
  for (const [what, reply, expected] of cases) {
    test(`by ${what} has its cause and status`, async (t) => {
      const { outcome: _, reason, ...rest } = await fail(t, reply)
      assert.deepEqual(rest, { retry: false, ...expected })
      assert.doesNotMatch(reason, /integration|html|xxx/)
    })
  }

  test('names what the provider says where the caller wants it, and then without what could harm', async (t) => {
    const body = { message: 'No permission "x" <b>here</b>, ask https://evil.example.' }
    assert.equal(
      (await fail(t, { status: 422, body }, { quotes: true })).reason,
      'The provider answered 422 and says: "No permission x bhere/b, ask …".',
    )
    const told = { message: 'ghs_secret is not known' }
    assert.equal(
      (await fail(t, { status: 401, body: told }, { quotes: true })).reason,
      'The provider refused the credential (401).',
    )
    assert.equal(
      (await fail(t, { status: 500, body: 'ghs_secret' }, { quotes: true })).reason,
      'The provider answered 500.',
    )
  })
})

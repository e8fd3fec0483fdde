import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createTestClock } from '#platform/testing'
import { createRateLimiter } from './rate-limit.ts'

describe('rate limit', () => {
  test('a burst passes, the next must wait as long as one takes to come back', async () => {
    const clock = createTestClock()
    const limiter = createRateLimiter({ perMinute: 6, burst: 2, maxKeys: 10, clock })
    assert.deepEqual(limiter.take('a'), { ok: true })
    assert.deepEqual(limiter.take('a'), { ok: true })
    assert.deepEqual(limiter.take('a'), { ok: false, retryAfterSeconds: 10 })
    await clock.advance(10_000)
    assert.deepEqual(limiter.take('a'), { ok: true })
    assert.equal(limiter.take('a').ok, false)
  })

  test('keys do not share a bucket, and looking spends nothing', () => {
    const limiter = createRateLimiter({ perMinute: 60, burst: 1, maxKeys: 10, clock: createTestClock() })
    assert.ok(limiter.look('a').ok)
    assert.ok(limiter.take('a').ok)
    assert.equal(limiter.look('a').ok, false)
    assert.ok(limiter.take('b').ok)
  })

  test('no key ever gets more than its burst and what the minutes give', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60 }), async (pauses) => {
        const clock = createTestClock()
        const limiter = createRateLimiter({ perMinute: 30, burst: 5, maxKeys: 10, clock })
        let passed = 0
        let elapsed = 0
        for (const pause of pauses) {
          await clock.advance(pause)
          elapsed += pause
          if (limiter.take('a').ok) passed += 1
          assert.ok(passed <= 5 + (elapsed * 30) / 60_000 + 1e-6)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('only so many keys are remembered', () => {
    const limiter = createRateLimiter({ perMinute: 1, burst: 1, maxKeys: 2, clock: createTestClock() })
    for (const key of ['a', 'b', 'c']) limiter.take(key)
    assert.ok(limiter.look('a').ok, 'the oldest key is forgotten')
    assert.equal(limiter.look('c').ok, false)
  })
})

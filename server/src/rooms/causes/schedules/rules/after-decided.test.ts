import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { afterDecided, findSilence, spreadOf } from './index.ts'
import { compiled } from './testing/timing.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const HOUR_MS = 3_600_000
const ago = (ms: number): Date => new Date(NOW.getTime() - ms)

test('the next instant of any timing is planned later than now, and named later than the newest that was decided', () => {
  const timing = fc.record({
    id: fc.uuid(),
    cronExpression: fc.constantFrom('0 * * * *', '*/10 * * * *', 'H * * * *', '30 2 * * *'),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
    spreadMs: fc.constantFrom(0, 60_000, HOUR_MS, 24 * HOUR_MS),
  })
  const nominal = fc.option(fc.integer({ min: -60_000, max: 48 * HOUR_MS }).map(ago))
  fc.assert(
    fc.property(timing, nominal, (given, newest) => {
      const one = compiled(given)
      const after = afterDecided(one, { after: NOW, nominal: newest })
      const next = one.next(after)
      assert.ok(next && next.planned > NOW)
      if (newest) assert.ok(next.nominal > newest)
      // None between is left out.
      const [first] = one
        .list(new Date(NOW.getTime() + 1), next.planned, { limit: 1000 })
        .filter((each) => newest === null || each.nominal > newest)
      assert.deepEqual(first?.planned, next.planned)
    }),
  )
})

test('without a decided instant, and with one of long ago, it is planned from now', () => {
  const one = compiled({ spreadMs: HOUR_MS })
  for (const nominal of [null, ago(2 * HOUR_MS)]) assert.equal(afterDecided(one, { after: NOW, nominal }), NOW)
})

test('a one-time timing whose instant was decided names none any more, and one that is later names its own', () => {
  const at = (ms: number) =>
    compiled({ kind: 'one_time', cronExpression: null, runAt: ago(-ms).toISOString(), spreadMs: 24 * HOUR_MS })
  const [old, other] = [at(0), at(60_000)]
  assert.ok(spreadOf(old.timing) > 0)
  const silence = (one: typeof old) => {
    const after = afterDecided(one, { after: NOW, nominal: NOW })
    return findSilence(one, { now: NOW, after })
  }
  assert.deepEqual(silence(old), { field: 'run_at', message: 'lies in the past' })
  assert.equal(silence(other), undefined)
})

test('a bound that is still to come is not said to lie in the past', () => {
  const bounded = compiled({
    cronExpression: '0 * * * *',
    timezone: 'UTC',
    spreadMs: 24 * HOUR_MS,
    notAfter: new Date(NOW.getTime() + 60_000),
  })
  const after = afterDecided(bounded, { after: NOW, nominal: NOW })
  const silence = findSilence(bounded, { now: NOW, after })
  assert.deepEqual(silence, { field: 'cron_expression', message: 'names no instant within not_before and not_after' })
})

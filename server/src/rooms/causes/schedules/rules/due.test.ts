import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DueInput, decideDue, MAX_PER_ROUND } from './index.ts'
import { compiled } from './testing/timing.ts'

const MINUTES = 60_000
const each = (expression: string) => compiled({ cronExpression: expression, timezone: 'UTC' })
const HOURLY = each('0 * * * *')

function decide(other: Partial<DueInput> & Pick<DueInput, 'nextFireAt' | 'now'>) {
  return decideDue({
    compiled: HOURLY,
    misfirePolicy: 'skip',
    misfireGraceSeconds: 300,
    misfireWindowSeconds: 3 * 3600,
    ...other,
  })
}

/** `09:00 due`, `08:00 missed`. */
function rows(decision: ReturnType<typeof decide>): readonly string[] {
  return decision.fires.map(({ occurrence, outcome }) => `${occurrence.local.slice(11, 16)} ${outcome}`)
}

const at = (time: string) => new Date(`2026-11-23T${time}Z`)

describe('what is due, hourly, with a grace of five minutes and a window of three hours', () => {
  const table: readonly (readonly [string, DueInput['misfirePolicy'], string, string, readonly string[], string])[] = [
    ['in time', 'skip', '09:00', '09:00:00', ['09:00 due'], '10:00'],
    ['within the grace', 'skip', '09:00', '09:05:00', ['09:00 due'], '10:00'],
    ['later than the grace', 'skip', '09:00', '09:05:01', ['09:00 missed'], '10:00'],
    [
      'hours later',
      'skip',
      '06:00',
      '09:02:00',
      ['06:00 missed', '07:00 missed', '08:00 missed', '09:00 due'],
      '10:00',
    ],
    ['later than the grace', 'last', '09:00', '09:30:00', ['09:00 due'], '10:00'],
    [
      'hours later',
      'last',
      '06:00',
      '09:30:00',
      ['06:00 missed', '07:00 missed', '08:00 missed', '09:00 due'],
      '10:00',
    ],
    [
      'one fires anyway',
      'last',
      '06:00',
      '09:02:00',
      ['06:00 missed', '07:00 missed', '08:00 missed', '09:00 due'],
      '10:00',
    ],
    ['hours later', 'all', '06:00', '09:30:00', ['06:00 missed', '07:00 due', '08:00 due', '09:00 due'], '10:00'],
    ['a clock that went back', 'all', '09:00', '08:10:00', [], '09:00'],
  ]
  for (const [what, misfirePolicy, nextFireAt, now, expected, next] of table) {
    test(`${misfirePolicy}, ${what}: ${nextFireAt} at ${now}`, () => {
      const decision = decide({ misfirePolicy, nextFireAt: at(`${nextFireAt}:00`), now: at(now) })
      assert.deepEqual(rows(decision), expected)
      assert.equal(decision.next?.local.slice(11, 16), next)
      assert.equal(decision.more, false)
    })
  }

  test('last makes up for nothing that is older than the window', () => {
    const decision = decide({
      compiled: each('0 6 * * *'),
      misfirePolicy: 'last',
      nextFireAt: at('06:00:00'),
      now: at('09:30:00'),
    })
    assert.deepEqual(rows(decision), ['06:00 missed'])
  })

  test('a missed fire says how late the scheduler came, and by which policy', () => {
    const [fire] = decide({ nextFireAt: at('09:00:00'), now: at('09:40:10') }).fires
    assert.equal(fire?.late, 40 * MINUTES + 10_000)
    assert.equal(
      fire.reason,
      'The scheduler came to it 40 min 10 s late. The grace is 5 min, and the misfire policy is skip.',
    )
  })
})

describe('after a long time', () => {
  test('old missed fires are one row with their number and span; the newest 99 have their own', () => {
    const now = new Date('2026-11-24T00:00:30Z')
    const { fires, next } = decide({
      compiled: each('* * * * *'),
      nextFireAt: at('00:00:00'),
      now,
      misfireGraceSeconds: 60,
    })
    const missed = fires.filter(({ outcome }) => outcome === 'missed')
    assert.equal(missed.length, 100)
    assert.equal(
      missed.reduce((sum, { count }) => sum + count, 0),
      1440,
    )
    assert.equal(
      missed[0]?.reason,
      '1,341 fires between 2026-11-23T00:00:00+00:00 and 2026-11-23T22:20:00+00:00 were missed while the scheduler did not run.',
    )
    assert.equal(missed[0]?.until?.toISOString(), '2026-11-23T22:20:00.000Z')
    assert.equal(missed[1]?.until, null)
    assert.deepEqual(
      fires.slice(100).map(({ occurrence }) => occurrence.local.slice(0, 19)),
      ['2026-11-24T00:00:00'],
    )
    assert.equal(next?.local, '2026-11-24T00:01:00+00:00')
  })

  for (const misfirePolicy of ['skip', 'last', 'all'] as const) {
    test(`${misfirePolicy}: ten years of a fire each second are at most 200 rows`, () => {
      const input = { compiled: each('* * * * * *'), misfirePolicy, misfireGraceSeconds: 0 } as const
      const { fires, more } = decide({ ...input, nextFireAt: new Date('2016-11-23T00:00:00Z'), now: at('00:00:00') })
      const due = fires.filter(({ outcome }) => outcome === 'due')
      assert.equal(fires.length - due.length, 100)
      assert.equal(due.length, misfirePolicy === 'all' ? MAX_PER_ROUND : 1)
      assert.equal(more, misfirePolicy === 'all')
      assert.match(fires[0]?.reason ?? '', /^More than 1,901 fires between 2016-11-23T00:00:00\+00:00 and 2026-11-2/)
      const planned = fires.map(({ occurrence }) => occurrence.planned.getTime())
      assert.deepEqual(
        planned,
        planned.toSorted((a, b) => a - b),
      )
    })
  }
})

test('rounds decide each instant once, however time is cut, also by a clock that steps back', () => {
  const expressions = ['*/7 * * * *', '0 * * * *', '*/20 * * * * *', '15,45 1-3 * * *']
  fc.assert(
    fc.property(
      fc.constantFrom(...expressions),
      fc.constantFrom('skip' as const, 'last' as const, 'all' as const),
      fc.array(fc.integer({ min: -90, max: 200 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 3600 }),
      (expression, misfirePolicy, steps, grace) => {
        const timing = compiled({ cronExpression: expression })
        const start = new Date('2026-10-24T22:00:00Z')
        const first = timing.next(start)
        assert.ok(first)
        let [next, now, latest] = [first.planned, start.getTime(), start.getTime()]
        const decided: number[] = []
        let count = 0
        for (const step of steps) {
          now += step * MINUTES
          latest = Math.max(latest, now)
          for (let more = next.getTime() <= now; more; ) {
            const decision = decideDue({
              compiled: timing,
              nextFireAt: next,
              now: new Date(now),
              misfirePolicy,
              misfireGraceSeconds: grace,
              misfireWindowSeconds: 7200,
            })
            decided.push(...decision.fires.map(({ occurrence }) => occurrence.planned.getTime()))
            count += decision.fires.reduce((sum, fire) => sum + fire.count, 0)
            assert.ok(decision.next)
            next = decision.next.planned
            more = decision.more
          }
        }
        assert.equal(new Set(decided).size, decided.length)
        const all = timing.list(start, new Date(latest), { limit: 100_000 })
        assert.equal(count, first.planned.getTime() <= latest ? all.filter(({ planned }) => planned > start).length : 0)
      },
    ),
    { numRuns: 60 },
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileTiming } from './compile-timing.ts'
import { fireSlowly, localClock, type Policy, readMinutes } from './testing/reference.ts'
import { aTiming } from './testing/timing.ts'

/** One run looks at a few windows of each zone. `SCHEDULE_ZONE_WINDOWS=20` looks at more of them, for minutes. */
const WINDOWS = Number(process.env['SCHEDULE_ZONE_WINDOWS'] ?? 1)
const SEED = Number(process.env['SCHEDULE_ZONE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const HOUR = 3_600_000
const DAY = 24 * HOUR
const FIRST = Date.UTC(2000, 0, 1)
const LAST = Date.UTC(2040, 0, 1)

/** mulberry32: a run can be repeated by its seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<T>(random: () => number, list: readonly T[]): T {
  const value = list[Math.floor(random() * list.length)]
  assert.ok(value !== undefined)
  return value
}

const MINUTES = ['0', '30', '*', '*/20', '15,45', '59', '7-22/5', '0-59/30'] as const
const HOURS = ['*', '*', '0', '1', '2', '3', '23', '0-4', '*/3', '2,3', '1-2', '22-23'] as const
const DAYS = ['* * *', '* * *', '* * *', '* * 0', '* * 7', '? * SUN,6', '1,31 * *', 'L * *', '* 3,9-11 1-5'] as const

function anExpression(random: () => number): string {
  return `${pick(random, MINUTES)} ${pick(random, HOURS)} ${pick(random, DAYS)}`
}

/** An instant within a day of a change of the zone, or any instant where none is found. */
function nearChange(zone: string, random: () => number): number {
  const clock = localClock(zone)
  const offsetAt = (at: number) => clock(at).wall * 60_000 - at
  const start = FIRST + Math.floor(random() * ((LAST - FIRST) / DAY)) * DAY
  for (let at = start; at > FIRST; at -= 20 * DAY) {
    let [low, high] = [at - 20 * DAY, at]
    if (offsetAt(low) === offsetAt(high)) continue
    while (high - low > HOUR) {
      const middle = low + Math.floor((high - low) / 2 / HOUR) * HOUR
      if (offsetAt(middle) === offsetAt(low)) low = middle
      else high = middle
    }
    return high
  }
  return start
}

/** What the product plans from the window's beginning to its end, one by one. */
function plan(zone: string, expression: string, dstPolicy: Policy, from: number, to: number): readonly number[] {
  const compiled = compileTiming(aTiming({ timezone: zone, cronExpression: expression, dstPolicy }))
  assert.ok(compiled.ok, expression)
  const found: number[] = []
  for (let at = from - 1; ; ) {
    const next = compiled.timing.next(new Date(at))
    if (!next || next.planned.getTime() > to) return found
    assert.ok(next.planned.getTime() > at, 'strictly later')
    at = next.planned.getTime()
    found.push(at)
  }
}

function compare(zone: string, centre: number, days: number, expressions: readonly string[]): void {
  const from = Math.floor(centre / HOUR) * HOUR - (days * DAY) / 2
  const to = from + days * DAY
  const minutes = readMinutes(zone, from - 4 * HOUR, to + 4 * HOUR)
  for (const expression of expressions) {
    for (const policy of ['once', 'skip', 'both'] as const) {
      const expected = fireSlowly(expression, policy, minutes).filter((at) => at >= from && at <= to)
      const text = (list: readonly number[]) => list.map((at) => new Date(at).toISOString())
      assert.deepEqual(
        text(plan(zone, expression, policy, from, to)),
        text(expected),
        `${expression}, ${policy}, ${zone}, around ${new Date(centre).toISOString()}, seed ${SEED}`,
      )
    }
  }
}

describe(`every zone, seed ${SEED}`, () => {
  const random = randomOf(SEED)
  test('plans what a clock shows, minute by minute, around a change', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (let window = 0; window < WINDOWS; window += 1) {
        compare(
          zone,
          nearChange(zone, random),
          1,
          Array.from({ length: 3 }, () => anExpression(random)),
        )
      }
    }
  })

  test('plans what a clock shows, minute by minute, at any time', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      if (WINDOWS === 1 && random() > 0.2) continue
      for (let window = 0; window < WINDOWS; window += 1) {
        const centre = FIRST + random() * (LAST - FIRST)
        compare(
          zone,
          centre,
          1,
          Array.from({ length: 2 }, () => anExpression(random)),
        )
      }
    }
  })
})

describe('zones whose clocks do something rare', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 'forward by 30 minutes'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 'back by 30 minutes'],
    ['Africa/Cairo', '2026-04-23T22:00:00Z', 'no midnight'],
    ['Africa/Cairo', '2026-10-29T21:00:00Z', 'the last hour of a day twice'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', 'no midnight'],
    ['America/Sao_Paulo', '2018-02-18T02:00:00Z', 'the last hour of a day twice'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 'no 30 December 2011'],
    ['Africa/Casablanca', '2026-02-15T02:00:00Z', 'back for Ramadan'],
    ['Africa/Casablanca', '2026-03-22T02:00:00Z', 'forward after Ramadan'],
    ['Antarctica/Troll', '2026-03-29T01:00:00Z', 'forward by two hours'],
    ['Antarctica/Troll', '2026-10-25T01:00:00Z', 'back by two hours'],
    ['America/St_Johns', '2010-11-07T02:31:00Z', 'back one minute after midnight'],
    ['America/St_Johns', '2010-03-14T03:31:00Z', 'forward one minute after midnight'],
    ['Africa/Monrovia', '2026-01-01T00:00:00Z', 'never'],
    ['Europe/Dublin', '2026-10-25T01:00:00Z', 'winter time that is less than standard'],
    ['Asia/Pyongyang', '2018-05-04T15:00:00Z', 'forward by 30 minutes for good'],
    ['America/Caracas', '2007-12-09T07:00:00Z', 'back by 30 minutes for good'],
    ['Europe/Istanbul', '2015-11-08T01:00:00Z', 'back two weeks later than its neighbours'],
    ['America/Nuuk', '2024-03-31T01:00:00Z', 'forward late in the evening'],
    ['Asia/Gaza', '2026-03-28T00:00:00Z', 'forward at two in the morning'],
    ['UTC', '2026-02-28T12:00:00Z', 'never'],
  ]
  const expressions = [
    '30 2 * * *',
    '0 0 * * *',
    '*/15 * * * *',
    '45 1-3 * * *',
    '30 * * * *',
    '0 23 L * *',
    '0,15 0,1 * * 0,5,6',
  ]
  for (const [zone, centre, what] of cases) {
    test(`${zone} ${centre.slice(0, 10)}: ${what}`, () => compare(zone, Date.parse(centre), 3, expressions))
  }
})

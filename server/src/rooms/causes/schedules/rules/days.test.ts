import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchesDay } from './testing/reference.ts'
import { compiled, faultsOf } from './testing/timing.ts'

const DAY = 86_400_000

/** The days on which a daily expression fires, by the product. */
function plannedDays(expression: string, from: number, to: number): readonly string[] {
  const timing = compiled({ cronExpression: expression, timezone: 'UTC' })
  const found: string[] = []
  for (let at = new Date(from - 1); ; ) {
    const next = timing.next(at)
    if (!next || next.planned.getTime() >= to) return found
    found.push(next.local.slice(0, 10))
    at = next.planned
  }
}

/** The same, by a matcher that judges each day of the calendar. */
function judgedDays(expression: string, from: number, to: number): readonly string[] {
  const days = Array.from({ length: Math.round((to - from) / DAY) }, (_, index) => new Date(from + index * DAY))
  return days
    .filter((date) => {
      const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
      return matchesDay(expression, { year, month, day, hour: 0, minute: 0 })
    })
    .map((date) => date.toISOString().slice(0, 10))
}

const DAYS_OF_MONTH = [
  '*',
  '?',
  '1',
  '29',
  '30',
  '31',
  'L',
  'LW',
  '1W',
  '15W',
  '30W',
  '31W',
  '1,15W',
  'L,15',
  '*/7',
  '1-7',
  '13',
]
const MONTHS = ['*', '2', '*', 'FEB,jun', '*', '*/5', '4']
const DAYS_OF_WEEK = [
  '*',
  '?',
  '0',
  '7',
  '1-5',
  '5-7',
  '0-7',
  'SUN',
  'mon-fri',
  '5L',
  '7L',
  '0#1',
  '7#2',
  'FRI#2',
  '1#5',
  '3#L',
  'MON#1,FRI#2',
  '5L,1',
  '*/2',
  'SUN-MON',
]

describe('days of a month and of a week, from 2000 to 2040', () => {
  for (const day of DAYS_OF_MONTH) {
    test(`${day} with each day of the week, in some months`, () => {
      for (const [index, weekday] of DAYS_OF_WEEK.entries()) {
        const month = MONTHS[index % MONTHS.length] ?? '*'
        const expression = `0 0 ${day} ${month} ${weekday}`
        const [from, to] = month === '*' ? [2023, 2025] : [2000, 2040]
        const span = [Date.UTC(from, 0, 1), Date.UTC(to, 0, 1)] as const
        assert.deepEqual(plannedDays(expression, ...span), judgedDays(expression, ...span), expression)
      }
    })
  }
})

describe('what an expression may hold', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /has 0 fields: write five/],
    ['* * * *', /has 4 fields: write five/],
    ['* * * * * * *', /has 7 fields/],
    ['@reboot', /a schedule does not see restarts/],
    ['@often', /@often is not known: write one of @yearly/],
    ['60 * * * *', /Invalid value for minute: 60/],
    ['* 24 * * *', /hour/i],
    ['* * 0 * *', /day/],
    ['* * * 13 *', /month/],
    ['* * * * 8', /dayOfWeek|day/],
    ['*/0 * * * *', /stepping/],
    ['5/15 * * * *', /numeric prefix/],
    ['5-1 * * * *', /larger/],
    ['? * * * *', /"\?" stands for a day only: write "\*" as the minute/],
    ['0 0 L-3 * *', /counts back from the end of the month/],
    ['0 0 * * L', /"L" alone is no day of the week/],
    ['0 0 * * 1#6', /weekday out of range/],
    ['0 0 * * +MON', /has the character "\+"/],
    ['0 0 W * *', /W/],
    ['H(5-3) * * * *', /is not a form of H/],
    ['H(0-60) * * * *', /is not a form of H/],
    ['H/0 * * * *', /is not a form of H/],
    ['H/61 * * * *', /is not a form of H/],
    ['* * H(1-31) * *', /with values from 1 to 28/],
    ['H5 * * * *', /is not a form of H/],
    ['0 0 0 1 1 * 2026 2027 ', /has 8 fields/],
    [`${'1,'.repeat(150)}1 * * * *`, /longer than 200 characters/],
  ]
  for (const [expression, says] of refused) {
    test(`${expression.slice(0, 30) || '(nothing)'} is refused with a sentence`, () => {
      const [fault = '', ...more] = faultsOf({ cronExpression: expression })
      assert.match(fault, /^cron_expression: .*\.$/)
      assert.match(fault, says)
      assert.deepEqual(more, [])
    })
  }

  test('an expression that never matches ends', () => {
    for (const expression of ['0 0 31 2 *', '0 0 30 FEB ?', '0 0 31 4,6,9,11 *']) {
      assert.equal(compiled({ cronExpression: expression }).next(new Date('2026-01-01')), undefined, expression)
    }
  })

  test('says itself in words', () => {
    assert.equal(compiled({ cronExpression: '30 2 * * 1-5' }).words, 'At 02:30, Monday through Friday, Europe/Berlin')
    assert.equal(
      compiled({ cronExpression: '0 0 13 * 5' }).words,
      'At 00:00, on day 13 of the month or on Friday, Europe/Berlin',
    )
    assert.equal(compiled({ cronExpression: '@hourly', timezone: 'UTC' }).words, 'Every hour, UTC')
    assert.equal(
      compiled({ kind: 'one_time', cronExpression: null, runAt: '2026-12-24T08:00:00' }).words,
      'Once at 2026-12-24T08:00:00+01:00, Europe/Berlin',
    )
  })
})

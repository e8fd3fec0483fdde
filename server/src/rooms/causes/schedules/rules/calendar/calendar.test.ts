import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { compiled, faultsOf } from '../testing/timing.ts'
import { readZone, type Zone } from '../zone.ts'
import { readCalendar } from './read-calendar.ts'

function zoneOf(name: string): Zone {
  const zone = readZone(name)
  assert.ok(zone)
  return zone
}
const BERLIN = zoneOf('Europe/Berlin')

function calendar(...lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n')
}

function event(...lines: readonly string[]): string {
  return calendar('BEGIN:VEVENT', 'UID:1', 'SUMMARY:Freeze', ...lines, 'END:VEVENT')
}

/** The hours of local days of 2026 in Berlin that the calendar takes, as `12-24T08`. */
function takenHours(text: string, from: string, to: string): readonly string[] {
  const read = readCalendar(text, BERLIN)
  assert.ok(read.ok, read.ok ? '' : read.faults.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  const timing = compiled({ cronExpression: '0 * * * *', calendar: text, dstPolicy: 'both' })
  const list = timing.list(new Date(`2026-${from}T00:00:00Z`), new Date(`2026-${to}T00:00:00Z`), {
    limit: 20_000,
    withExcluded: true,
  })
  return list.flatMap(({ local, excludedBy }) => (excludedBy === null ? [] : [local.slice(5, 13)]))
}

const hours = (day: string, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${day}T${String(first + index).padStart(2, '0')}`)

describe('what an event takes', () => {
  const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['an all-day event its day', ['DTSTART;VALUE=DATE:20261224'], hours('12-24', 0, 23)],
    [
      'one with an end the days before it',
      ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261226'],
      [...hours('12-24', 0, 23), ...hours('12-25', 0, 23)],
    ],
    [
      'one with DURATION',
      ['DTSTART;VALUE=DATE:20261224', 'DURATION:P2D'],
      [...hours('12-24', 0, 23), ...hours('12-25', 0, 23)],
    ],
    [
      'a timed event until before its end',
      ['DTSTART;TZID=Europe/Berlin:20261224T080000', 'DTEND;TZID=Europe/Berlin:20261224T100000'],
      hours('12-24', 8, 9),
    ],
    ['a UTC time', ['DTSTART:20261224T080000Z', 'DTEND:20261224T100000Z'], hours('12-24', 9, 10)],
    ['a floating time is local', ['DTSTART:20261224T080000', 'DTEND:20261224T100000'], hours('12-24', 8, 9)],
    ['another zone', ['DTSTART;TZID=America/New_York:20261224T080000', 'DURATION:PT1H30M'], hours('12-24', 14, 15)],
    ['a moment without an end', ['DTSTART:20261224T080000'], hours('12-24', 8, 8)],
    ['over midnight', ['DTSTART:20261224T230000', 'DURATION:PT2H'], ['12-24T23', '12-25T00']],
    ['free time counts, too', ['DTSTART;VALUE=DATE:20261224', 'TRANSP:TRANSPARENT'], hours('12-24', 0, 23)],
    ['a cancelled event nothing', ['DTSTART;VALUE=DATE:20261224', 'STATUS:CANCELLED'], []],
    [
      'each week',
      ['DTSTART:20261201T080000', 'RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261215T235959Z'],
      ['12-01T08', '12-08T08', '12-15T08'],
    ],
    ['COUNT', ['DTSTART:20261201T080000', 'RRULE:FREQ=DAILY;COUNT=3'], ['12-01T08', '12-02T08', '12-03T08']],
    [
      'COUNT counts what EXDATE takes back',
      ['DTSTART:20261201T080000', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261202T080000'],
      ['12-01T08', '12-03T08'],
    ],
    [
      'EXDATE in UTC',
      ['DTSTART;TZID=Europe/Berlin:20261201T080000', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20261202T070000Z'],
      ['12-01T08'],
    ],
    [
      'RDATE',
      ['DTSTART:20261201T080000', 'RDATE:20261203T090000,20261204T100000'],
      ['12-01T08', '12-03T09', '12-04T10'],
    ],
    [
      'the last Friday of a month',
      ['DTSTART:20261127T080000', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR'],
      ['11-27T08', '12-25T08'],
    ],
    [
      'the last working day',
      ['DTSTART:20261130T080000', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
      ['11-30T08', '12-31T08'],
    ],
    ['folded lines', ['DTSTART;VALUE=', ' DATE:202612', '\t24'], hours('12-24', 0, 23)],
  ]
  for (const [what, lines, expected] of table) {
    test(what, () =>
      assert.deepEqual(
        takenHours(event(...lines), '11-20', '12-31T23:30'.slice(0, 5)).filter((hour) => hour < '12-31T23'),
        expected.filter((hour) => hour < '12-30T23'),
      ),
    )
  }

  test('a changed beginning stands in for its own, and a cancelled one for nothing', () => {
    const text = calendar(
      'BEGIN:VEVENT',
      'UID:a',
      'DTSTART:20261201T080000',
      'RRULE:FREQ=DAILY;COUNT=4',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:a',
      'RECURRENCE-ID:20261202T080000',
      'DTSTART:20261202T110000',
      'END:VEVENT',

      'BEGIN:VEVENT',
      'UID:a',
      'RECURRENCE-ID:20261203T080000',
      'DTSTART:20261203T080000',
      'STATUS:CANCELLED',
      'END:VEVENT',
    )
    assert.deepEqual(takenHours(text, '11-20', '12-20'), ['12-01T08', '12-02T11', '12-04T08'])
  })

  test('a zone that the calendar brings', () => {
    const text = calendar(
      'BEGIN:VTIMEZONE',
      'TZID:W. Europe Standard Time',

      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',

      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'DTSTART;TZID=W. Europe Standard Time:20260601T080000',
      'RRULE:FREQ=MONTHLY',
      'END:VEVENT',
    )
    assert.deepEqual(takenHours(text, '05-20', '12-20'), [
      '06-01T08',
      '07-01T08',
      '08-01T08',
      '09-01T08',
      '10-01T08',
      '11-01T08',
      '12-01T08',
    ])
  })

  test('an occurrence names the event', () => {
    const timing = compiled({ calendar: event('DTSTART;VALUE=DATE:20261224') })
    const [found] = timing.list(new Date('2026-12-24T00:00:00Z'), new Date('2026-12-25T00:00:00Z'), {
      limit: 1,
      withExcluded: true,
    })
    assert.equal(found?.excludedBy, 'Freeze')
    assert.equal(timing.next(new Date('2026-12-23T12:00:00Z'))?.local, '2026-12-25T02:30:00+01:00')
  })
})

describe('rules that ical.js reads well', () => {
  const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
  const rules = fc.oneof(
    fc.record({ FREQ: fc.constant('DAILY'), INTERVAL: fc.integer({ min: 1, max: 9 }) }),
    fc.record({
      FREQ: fc.constant('WEEKLY'),
      INTERVAL: fc.integer({ min: 1, max: 4 }),
      BYDAY: fc.subarray([...days], { minLength: 1 }),
    }),
    fc.record({
      FREQ: fc.constant('MONTHLY'),
      INTERVAL: fc.integer({ min: 1, max: 5 }),
      BYMONTHDAY: fc.constantFrom(1, 15, 28, -1, -3),
    }),
    fc.record({ FREQ: fc.constant('MONTHLY'), BYDAY: fc.constantFrom('1MO', '2TU', '-1FR', '3SU') }),
    fc.record({
      FREQ: fc.constant('YEARLY'),
      BYMONTH: fc.integer({ min: 1, max: 12 }),
      BYMONTHDAY: fc.integer({ min: 1, max: 28 }),
    }),
    fc.record({
      FREQ: fc.constant('YEARLY'),
      BYMONTH: fc.integer({ min: 1, max: 12 }),
      BYDAY: fc.constantFrom('1MO', '-1SU', '2WE'),
    }),
  )
  test('name the same days as ours', () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 40 }), (parts, day, count) => {
        const rule = Object.entries({ ...parts, COUNT: count })
          .map(([name, value]) => `${name}=${String(value)}`)
          .join(';')
        const start = ICAL.Time.fromDateString(`2026-01-${String(day).padStart(2, '0')}`)
        const iterator = ICAL.Recur.fromString(rule).iterator(start)
        const expected: string[] = []
        for (let next = iterator.next(); next; next = iterator.next()) expected.push(next.toString())
        // ical.js leaves a beginning out that the rule does not name; RFC 5545 calls such a rule undefined.
        fc.pre(expected[0] === start.toString())
        const timing = compiled({
          cronExpression: '0 12 * * *',
          timezone: 'UTC',
          calendar: event(`DTSTART;VALUE=DATE:${start.toString().replaceAll('-', '')}`, `RRULE:${rule}`),
        })
        const last = expected.at(-1) ?? ''
        fc.pre(last < '2070')
        const list = timing.list(new Date('2025-12-01'), new Date(Date.parse(last) + 90 * 86_400_000), {
          limit: 50_000,
          withExcluded: true,
        })
        assert.deepEqual(
          list.flatMap(({ local, excludedBy }) => (excludedBy === null ? [] : [local.slice(0, 10)])),
          expected,
          rule,
        )
      }),
      { numRuns: 120 },
    )
  })
})

describe('what is refused, with its line', () => {
  const table: readonly (readonly [string, string, RegExp])[] = [
    ['no calendar', '', /^calendar: Line 1: There is no VCALENDAR/],
    ['text', 'hello', /^calendar: Line 1: This is no property/],
    ['no end', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR', /^calendar: Line 3: VEVENT of line 2 must end first/],
    ['no DTSTART', event('DESCRIPTION:x'), /^calendar: Line 3: The event has no DTSTART/],
    ['a date that is none', event('DTSTART;VALUE=DATE:20260230'), /^calendar: Line 6: DTSTART "2026-02-30" is no date/],
    [
      'an unknown zone',
      event('DTSTART;TZID=Mars/Base:20261224T080000'),
      /^calendar: Line 6: .*the time zone "Mars\/Base" is not known/,
    ],
    [
      'each hour',
      event('DTSTART:20261224T080000', 'RRULE:FREQ=HOURLY'),
      /^calendar: Line 7: RRULE needs FREQ as DAILY/,
    ],
    [
      'each second',
      event('DTSTART:20261224T080000', 'RRULE:FREQ=SECONDLY'),
      /^calendar: Line 7: RRULE needs FREQ as DAILY/,
    ],
    [
      'hours of a day',
      event('DTSTART:20261224T080000', 'RRULE:FREQ=DAILY;BYHOUR=1,2'),
      /^calendar: Line 7: RRULE with BYHOUR is not supported/,
    ],
    [
      'an end before the beginning',
      event('DTSTART:20261224T080000', 'DTEND:20261224T070000'),
      /^calendar: Line 7: The event ends before it begins/,
    ],
    [
      'periods',
      event('DTSTART:20261224T080000', 'RDATE;VALUE=PERIOD:20260101T000000Z/PT1H'),
      /^calendar: Line 7: RDATE/,
    ],
    ['a century', event('DTSTART:20261224T080000', 'DURATION:P9999W'), /^calendar: Line 7: The event lasts longer/],
    ['too much text', event(`DESCRIPTION:${'x'.repeat(70_000)}`), /larger than 64 KiB/],
    [
      'too many events',
      calendar(...Array.from({ length: 1001 }, () => ['BEGIN:VEVENT', 'DTSTART:20261224T0', 'END:VEVENT']).flat()),
      /At most 1000 events/,
    ],
    [
      'many long ones that repeat',
      calendar(
        ...Array.from({ length: 100 }, () => [
          'BEGIN:VEVENT',
          'DTSTART;VALUE=DATE:20260101',
          'DURATION:P300D',
          'RRULE:FREQ=DAILY',
          'END:VEVENT',
        ]).flat(),
      ),
      /Too many long events repeat/,
    ],
    [
      'counting for long',
      calendar(
        ...Array.from({ length: 500 }, () => [
          'BEGIN:VEVENT',
          'DTSTART;VALUE=DATE:19010101',
          'RRULE:FREQ=DAILY;COUNT=3000;BYMONTHDAY=30',
          'END:VEVENT',
        ]).flat(),
      ),
      /write UNTIL instead of COUNT/,
    ],
  ]
  for (const [what, text, says] of table) {
    test(what, () => {
      const started = process.cpuUsage()
      assert.match(faultsOf({ calendar: text })[0] ?? '', says)
      assert.ok(process.cpuUsage(started).user < 1_000_000)
    })
  }
})

test('a rule since 1900, or one that counts to a hundred million, costs a question no more than another', () => {
  for (const rule of [
    'FREQ=DAILY',
    'FREQ=DAILY;COUNT=100000000',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=100000',
  ]) {
    const timing = compiled({
      cronExpression: '0 12 * * *',
      calendar: event('DTSTART;VALUE=DATE:19000101', `RRULE:${rule}`),
    })
    const started = process.cpuUsage()
    for (let round = 0; round < 3; round += 1) timing.next(new Date('2026-11-23T00:00:00Z'))
    assert.ok(process.cpuUsage(started).user < 600_000, rule)
  }
})

test('any text is read or refused, never thrown at', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'BEGIN:VEVENT',
      'END:VEVENT',
      'BEGIN:VTIMEZONE',
      'END:VTIMEZONE',
      'BEGIN:STANDARD',
      'END:STANDARD',
      'TZID:X',
      'TZOFFSETFROM:+0100',

      'TZOFFSETTO:-9999',
      'DTSTART:20261224T080000',
      'DTSTART;VALUE=DATE:20261224',
      'DTSTART;TZID=X:20261224T080000',
      'DTEND:20270101T000000Z',

      'RRULE:FREQ=DAILY',
      'RRULE:FREQ=YEARLY;BYDAY=99MO;BYSETPOS=-400',
      'RDATE:20260101',
      'EXDATE:x',
      'DURATION:-P1D',
      'DURATION:P',
      'SUMMARY',
      'UID:1',

      'RECURRENCE-ID:20261224T080000',
      'STATUS:CANCELLED',
      'RRULE:FREQ=MONTHLY;INTERVAL=-1',
      'RRULE:COUNT=0',
      ' folded',
      'RRULE:FREQ=WEEKLY;WKST=XX',
    ),
    fc
      .tuple(fc.constantFrom('DTSTART', 'RRULE', 'DTEND', 'RDATE', 'EXDATE', 'DURATION', 'SUMMARY'), fc.string())
      .map(([name, value]) => `${name}:${value}`),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const text = fc.stringify(lines) === '' ? '' : calendar(...lines)
      const read = readCalendar(text, BERLIN)
      if (read.ok) read.excluder(Date.UTC(2026, 11, 24, 7))
      else assert.ok(read.faults.length > 0 && read.faults.every(({ line: at, message }) => at > 0 && message !== ''))
    }),
    { numRuns: 3000 },
  )
})

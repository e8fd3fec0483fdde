import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compileTiming, MAX_SPREAD_MS, readRunAt, readZone, type Timing } from './index.ts'
import { aTiming, compiled, faultsOf } from './testing/timing.ts'

const FROM = new Date('2026-10-20T00:00:00Z')
const TO = new Date('2026-11-05T00:00:00Z')

const anyTiming: fc.Arbitrary<Partial<Timing>> = fc.record({
  id: fc.uuid(),
  cronExpression: fc.constantFrom(
    '30 2 * * *',
    '*/20 1-3 * * *',
    'H H * * *',
    'H/15 * * * *',
    '0 0 * * 1',
    '5 4 L * *',
  ),
  timezone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC', 'Australia/Lord_Howe'),
  dstPolicy: fc.constantFrom('once', 'skip', 'both'),
  spreadMs: fc.constantFrom(0, 1000, 900_000, MAX_SPREAD_MS),
})
const someExclusions: fc.Arbitrary<Partial<Timing>> = fc.record({
  excludedDates: fc.subarray(['2026-10-25', '2026-10-27/2026-10-29', '2026-11-01', '2020-01-01/2026-10-22']),
  notBefore: fc.constantFrom(null, new Date('2026-10-23T12:00:00Z')),
  notAfter: fc.constantFrom(null, new Date('2026-11-02T12:00:00Z')),
})

const instants = (list: readonly { readonly planned: Date }[]) => list.map(({ planned }) => planned.getTime())

describe('occurrences', () => {
  test('next goes strictly forward and finds what list finds, and latest the last of it', () => {
    fc.assert(
      fc.property(
        anyTiming,
        someExclusions,
        fc.date({ min: FROM, max: TO, noInvalidDate: true }),
        (one, other, before) => {
          const timing = compiled({ ...one, ...other })
          const listed = instants(timing.list(FROM, TO, { limit: 10_000 }))
          const found: number[] = []
          for (
            let next = timing.next(new Date(FROM.getTime() - 1));
            next && next.planned <= TO;
            next = timing.next(next.planned)
          ) {
            assert.ok(next.planned.getTime() > (found.at(-1) ?? 0))
            found.push(next.planned.getTime())
          }
          assert.deepEqual(found, listed)
          const last = listed.filter((at) => at <= before.getTime()).at(-1)
          assert.equal(timing.latest(before, FROM)?.planned.getTime(), last)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('exclusions and bounds only take away, and the list for people has what they took, with the reason', () => {
    fc.assert(
      fc.property(anyTiming, someExclusions, (one, other) => {
        const [all, some] = [compiled(one), compiled({ ...one, ...other })]
        const [without, left] = [
          instants(all.list(FROM, TO, { limit: 10_000 })),
          instants(some.list(FROM, TO, { limit: 10_000 })),
        ]
        assert.ok(left.every((at) => without.includes(at)))
        const shown = some.list(FROM, TO, { limit: 10_000, withExcluded: true })
        assert.ok(instants(shown).every((at) => without.includes(at)))
        assert.deepEqual(instants(shown.filter(({ excludedBy }) => excludedBy === null)), left)
        assert.ok(shown.every(({ marks, excludedBy }) => marks.includes('excluded') === (excludedBy !== null)))
      }),
      { numRuns: 100 },
    )
  })

  test('an occurrence says its local time with the offset, its marks and what excludes it', () => {
    const timing = compiled({ spreadMs: 60_000, excludedDates: ['2026-10-25'] })
    const [day, change] = timing.list(new Date('2026-10-23T23:00:00Z'), TO, { limit: 2, withExcluded: true })
    assert.match(day?.local ?? '', /^2026-10-24T02:30:\d\d\+02:00$/)
    assert.deepEqual(day?.marks, ['spread'])
    assert.deepEqual(change?.marks, ['first_of_two', 'spread', 'excluded'])
    assert.equal(change?.excludedBy, '2026-10-25')
    assert.equal(change.nominal.toISOString(), '2026-10-25T00:30:00.000Z')
  })

  test('a mark says what a change of the clocks did', () => {
    const marksOf = (cronExpression: string, dstPolicy: Timing['dstPolicy'], day: string) =>
      compiled({ cronExpression, dstPolicy })
        .list(new Date(`${day}T00:00:00Z`), new Date(`${day}T01:59:59Z`), { limit: 10 })
        .map(({ local, marks }) => [local.slice(11), ...marks].join(' '))
    assert.deepEqual(marksOf('30 2 * * *', 'once', '2026-03-29'), ['03:00:00+02:00 shifted'])
    assert.deepEqual(marksOf('30 2,3 * * *', 'once', '2026-03-29'), ['03:00:00+02:00 shifted', '03:30:00+02:00'])
    assert.deepEqual(marksOf('0 2,3 * * *', 'once', '2026-03-29'), ['03:00:00+02:00'])
    assert.deepEqual(marksOf('30 2 * * *', 'both', '2026-10-25'), [
      '02:30:00+02:00 first_of_two',
      '02:30:00+01:00 second_of_two',
    ])
    assert.deepEqual(marksOf('30 2 * * *', 'skip', '2026-10-25'), [])
    assert.deepEqual(marksOf('30 2 * * *', 'once', '2026-10-24'), ['02:30:00+02:00'])
  })

  test('not_before and not_after let the instants themselves fire, and judge before spread', () => {
    const spreadMs = 3_600_000
    const [first, last] = [new Date('2026-11-02T01:30:00Z'), new Date('2026-11-04T01:30:00Z')]
    const nominals = (notBefore: Date, notAfter: Date) =>
      compiled({ spreadMs, notBefore, notAfter })
        .list(FROM, new Date('2026-11-20'), { limit: 99, withExcluded: true })
        .map(({ nominal }) => nominal.toISOString().slice(8, 10))
    assert.deepEqual(nominals(first, last), ['02', '03', '04'])
    assert.deepEqual(nominals(new Date(first.getTime() + 1), new Date(last.getTime() - 1)), ['03'])
  })

  test('a schedule whose every day is excluded ends', () => {
    const timing = compiled({ cronExpression: '* * * * * *', excludedDates: ['2000-01-01/9999-12-31'] })
    assert.equal(timing.next(FROM), undefined)
    assert.equal(timing.latest(TO, FROM), undefined)
  })
})

describe('H and spread', () => {
  const ids = Array.from({ length: 6000 }, (_, index) => `schedule ${index}`)

  test('are the same each time', () => {
    for (const id of ids.slice(0, 50)) {
      const timing = { id, cronExpression: 'H H(0-7) H H *', spreadMs: 3_600_000 }
      assert.deepEqual(compiled(timing).next(FROM), compiled(timing).next(FROM))
    }
  })

  test('take each minute of an hour about as often', () => {
    const minutes = Array.from({ length: 60 }, () => 0)
    for (const id of ids) {
      const minute = compiled({ id, cronExpression: 'H * * * *' }).next(FROM)?.planned.getUTCMinutes() ?? -1
      minutes[minute] = (minutes[minute] ?? 0) + 1
    }
    assert.ok(Math.min(...minutes) > 60 && Math.max(...minutes) < 145, minutes.join())
  })

  test('spread is whole seconds from none to just below the spread', () => {
    const delays = ids.map((id) => {
      const next = compiled({ id, cronExpression: '0 0 * * *', spreadMs: 20_000 }).next(FROM)
      return next ? next.planned.getTime() - next.nominal.getTime() : -1
    })
    assert.deepEqual(
      [...new Set(delays)].sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index * 1000),
    )
  })

  test('a range and a step hold what they say', () => {
    for (const id of ids.slice(0, 300)) {
      const list = compiled({ id, cronExpression: 'H(10-29)/5 H(3-4) * * *', timezone: 'UTC' }).list(FROM, TO, {
        limit: 4,
      })
      const minutes = list.map(({ planned }) => planned.getUTCMinutes())
      const first = minutes[0] ?? -1
      assert.ok(first >= 10 && first < 15)
      assert.deepEqual(minutes, [first, first + 5, first + 10, first + 15])
      assert.ok([3, 4].includes(list[0]?.planned.getUTCHours() ?? -1))
      const day = compiled({ id, cronExpression: '0 0 H * *', timezone: 'UTC' }).next(FROM)?.planned.getUTCDate() ?? 0
      assert.ok(day >= 1 && day <= 28)
    }
  })
})

describe('run_at', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['2026-12-24T08:00:00+01:00', 'with an offset', '2026-12-24T07:00:00.000Z'],
    ['2026-12-24T08:00:00Z', 'UTC', '2026-12-24T08:00:00.000Z'],
    ['2026-12-24T08:00:00.25-09:30', 'parts of a second', '2026-12-24T17:30:00.250Z'],
    ['2026-12-24T08:00:00', 'local', '2026-12-24T07:00:00.000Z'],
    ['2026-12-24 08:00', 'local, short', '2026-12-24T07:00:00.000Z'],
    ['2026-03-29T02:30:00', 'skipped: the next valid instant', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T02:30:00', 'repeated: the first', '2026-10-25T00:30:00.000Z'],
  ]
  const berlin = readZone('Europe/Berlin')
  assert.ok(berlin)
  for (const [text, what, expected] of table) {
    test(`${text}: ${what}`, () => {
      const read = readRunAt(text, berlin)
      assert.equal(read.ok && read.at.toISOString(), expected)
    })
  }
  for (const text of [
    '',
    'tomorrow',
    '2026-02-30T08:00:00',
    '2026-12-24',
    '2026-12-24T24:00:00',
    '2026-12-24T08:00:60Z',
    '2026-12-24T08:00:00+24:00',
    '0000-01-01T00:00:00',
  ]) {
    test(`"${text}" is refused`, () => assert.equal(readRunAt(text, berlin).ok, false))
  }

  test('a one-time schedule fires once, and is marked where its local time is skipped', () => {
    const timing = compiled({ kind: 'one_time', cronExpression: null, runAt: '2026-03-29T02:30:00' })
    const next = timing.next(new Date('2026-01-01'))
    assert.equal(next?.local, '2026-03-29T03:00:00+02:00')
    assert.deepEqual(next.marks, ['shifted'])
    assert.equal(timing.next(next.planned), undefined)
    assert.equal(timing.latest(TO, new Date('2026-01-01'))?.local, next.local)
  })
})

describe('what is refused', () => {
  test('every fault is named at once', () => {
    const faults = faultsOf({
      cronExpression: '61 * * * *',
      timezone: 'Europe/Atlantis',
      spreadMs: MAX_SPREAD_MS + 1000,
      excludedDates: ['2026-12-25', '25.12.2026', '2027-01-01/2026-12-24'],
      notBefore: TO,
      notAfter: FROM,
    })
    assert.deepEqual(
      faults.map((fault) => fault.slice(0, fault.indexOf(':'))),
      ['timezone', 'cron_expression', 'exclude_dates[1]', 'exclude_dates[2]', 'spread', 'not_after'],
    )
  })

  test('a schedule without what its kind reads', () => {
    assert.match(faultsOf({ cronExpression: null }).join(), /^cron_expression: A recurring schedule needs/)
    assert.match(faultsOf({ kind: 'one_time' }).join(), /^run_at: A one-time schedule needs/)
  })

  test('a zone that is none: offsets, empty names, paths', () => {
    for (const name of [
      '',
      '+02:00',
      'GMT+25',
      '../../etc/passwd',
      'Europe/Berlin ',
      'CEST2',
      '__proto__',
      'x'.repeat(10_000),
    ]) {
      assert.equal(readZone(name), undefined, name.slice(0, 20))
    }
    for (const name of ['UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta'])
      assert.ok(readZone(name), name)
  })

  test('any text at all is refused or compiled, never thrown at', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'0123456789*/,-#LWHFRI? ()@') }),
    )
    fc.assert(
      fc.property(text, text, text, (cronExpression, runAt, zone) => {
        compileTiming(aTiming({ cronExpression }))
        compileTiming(aTiming({ kind: 'one_time', runAt, timezone: zone, excludedDates: [runAt] }))
      }),
      { numRuns: 2000 },
    )
  })
})

test('ten thousand schedules with expressions and zones of their own are compiled and asked in about a second', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const before = process.cpuUsage()
  for (let index = 0; index < 10_000; index += 1) {
    const cronExpression = `${index % 60} ${Math.floor(index / 60) % 24} ${1 + Math.floor(index / 1440)} * ${index % 7}`
    const timing = compiled({ id: String(index), cronExpression, timezone: zones[index % zones.length] ?? 'UTC' })
    assert.ok(timing.next(FROM))
  }
  const { user } = process.cpuUsage(before)
  assert.ok(user < 6_000_000, `${user / 1000} ms of processor time`)
})

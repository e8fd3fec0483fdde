import { expect, test } from 'vitest'
import { daysOf, firingBefore, hourOf, instantsOf, minuteOf } from './week.ts'

const instant = (at: string) => ({ scheduleId: 'a', identifier: 'acme/a', at })

test('instants stand in their days of the zone, in order', () => {
  const from = new Date('2026-11-23T12:00:00Z')
  const instants = ['2026-11-25T22:30:00Z', '2026-11-23T13:00:00Z', '2026-11-23T12:30:00Z'].map(instant)
  const berlin = daysOf(instants, from, 'Europe/Berlin')
  expect(berlin.map(({ label }) => label)).toHaveLength(7)
  expect(berlin[0]?.instants.map(({ at }) => at)).toEqual(['2026-11-23T12:30:00Z', '2026-11-23T13:00:00Z'])
  expect(berlin[2]?.instants).toHaveLength(1)
  // The same instant is one day later further in the east.
  expect(daysOf(instants, from, 'Asia/Tokyo')[3]?.instants).toHaveLength(1)
})

test('a day of 25 hours is named once, one of 23 too', () => {
  for (const from of ['2026-10-24T22:30:00Z', '2027-03-27T22:30:00Z']) {
    const labels = daysOf([], new Date(from), 'Europe/Berlin').map(({ label }) => label)
    expect(new Set(labels).size).toBe(7)
  }
  expect(
    daysOf([], new Date('2026-10-24T22:30:00Z'), 'Europe/Berlin').map(({ label }) => /\d+/.exec(label)?.[0]),
  ).toEqual(['25', '26', '27', '28', '29', '30', '31'])
})

test('the instants of a week leave out what does not fire, and say where they were cut', () => {
  const at = (planned_at: string, ...marks: 'excluded'[]) => ({ planned_at, marks })
  const schedule = {
    id: 'a',
    identifier: 'acme/a',
    occurrences: [at('2026-11-23T03:00:00Z'), at('2026-11-24T03:00:00Z', 'excluded'), at('2026-11-25T03:00:00Z')],
  }
  const [from, end] = ['2026-11-23T03:00:00Z', '2026-11-30T00:00:00Z']
  expect(instantsOf(schedule, { from, end, most: 10 })).toEqual({
    instants: [instant('2026-11-23T03:00:00Z'), instant('2026-11-25T03:00:00Z')],
    cutAt: undefined,
  })
  expect(instantsOf(schedule, { from, end, most: 3 }).cutAt).toEqual(instant('2026-11-25T03:00:00Z'))
  expect(instantsOf(schedule, { from, end: '2026-11-24T12:00:00Z', most: 3 }).cutAt).toBeUndefined()
  // A page that was left open counts what has fired no longer.
  expect(instantsOf(schedule, { from: '2026-11-23T03:01:00Z', end, most: 10 }).instants).toEqual([
    instant('2026-11-25T03:00:00Z'),
  ])
})

test('a week goes on with each minute, and is asked for with each hour', () => {
  const now = minuteOf(new Date('2026-11-23T03:59:59.999Z'))
  expect(now).toBe('2026-11-23T03:59:00.000Z')
  expect(hourOf(now)).not.toBe(hourOf(minuteOf(new Date('2026-11-23T04:00:00Z'))))
})

test('the schedules of a week are those that fire in it, the first one first', () => {
  const schedule = (id: string, next_fire_at: string | null, enabled = true) => ({ id, next_fire_at, enabled })
  const schedules = [
    schedule('late', '2026-11-29T00:00:00Z'),
    schedule('after', '2026-12-01T00:00:00Z'),
    schedule('never', null),
    schedule('off', '2026-11-24T00:00:00Z', false),
    schedule('early', '2026-11-24T00:00:00Z'),
  ]
  expect(firingBefore(schedules, '2026-11-30T00:00:00Z').map(({ id }) => id)).toEqual(['early', 'late'])
})

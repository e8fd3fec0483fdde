import { expect, test } from 'vitest'
import { daysOf } from './week.ts'

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

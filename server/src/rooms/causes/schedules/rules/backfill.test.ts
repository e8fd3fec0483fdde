import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { judgeRoom, leaveOutStarted, leaveOutUndecided, MAX_BACKFILL, planBackfill } from './index.ts'
import { compiled } from './testing/timing.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const minutes = compiled({ cronExpression: '*/10 * * * *', timezone: 'UTC' })

describe('the instants of a backfill', () => {
  test('all of a range, both ends included, or a refusal that names a range that is taken', () => {
    const minute = fc.integer({ min: 0, max: 60 * 24 * 30 }).map((ago) => new Date(NOW.getTime() - ago * 60_000))
    fc.assert(
      fc.property(minute, minute, (one, other) => {
        const [from, to] = one < other ? [one, other] : [other, one]
        const step = 600_000
        const count = Math.floor(to.getTime() / step) - Math.ceil(from.getTime() / step) + 1
        const plan = planBackfill(minutes, { from, to, now: NOW })
        assert.equal(plan.ok, count <= MAX_BACKFILL)
        if (plan.ok) return assert.equal(plan.instants.length, count)
        assert.ok(plan.message.includes(` ${count.toLocaleString('en-US')} instants`), plan.message)
        const upTo = new Date(/ask up to (\S+Z)/.exec(plan.message)?.[1] ?? '')
        const taken = planBackfill(minutes, { from, to: upTo, now: NOW })
        assert.equal(taken.ok && taken.instants.length, MAX_BACKFILL)
      }),
    )
  })

  test('those that started are left out by their nominal instant', () => {
    const range = { from: new Date('2026-11-23T00:00:00Z'), to: new Date('2026-11-23T00:20:00Z'), now: NOW }
    const plan = planBackfill(minutes, range)
    assert.ok(plan.ok)
    const left = leaveOutStarted(plan.instants, [new Date('2026-11-23T00:10:00Z'), new Date('2026-11-23T00:11:00Z')])
    assert.deepEqual(
      left.map(({ nominal }) => nominal.getUTCMinutes()),
      [0, 20],
    )
  })

  test('those that the schedule itself still decides are left out; one that rests decides none', () => {
    const range = { from: new Date('2026-11-23T00:00:00Z'), to: new Date('2026-11-23T00:20:00Z'), now: NOW }
    const plan = planBackfill(minutes, range)
    assert.ok(plan.ok)
    const left = (next: Date | null) =>
      leaveOutUndecided(plan.instants, next).map(({ planned }) => planned.getUTCMinutes())
    assert.deepEqual(left(new Date('2026-11-23T00:10:00Z')), [0])
    assert.deepEqual(left(new Date('2026-11-23T00:30:00Z')), [0, 10, 20])
    assert.deepEqual(left(null), [0, 10, 20])
  })

  test('never more runs at a time than were asked for, and it ends when all have', () => {
    const input = fc.record({
      pending: fc.nat(1000),
      unfinished: fc.nat(60),
      concurrency: fc.integer({ min: 1, max: 50 }),
    })
    fc.assert(
      fc.property(input, (room) => {
        const { next, starts } = judgeRoom(room)
        assert.ok(starts <= room.pending)
        if (starts > 0) assert.ok(room.unfinished + starts <= room.concurrency)
        const mayStart = room.pending > 0 && room.unfinished < room.concurrency
        assert.equal(next === 'start', mayStart)
        assert.equal(next === 'start', starts > 0)
        assert.equal(next === 'finish', room.pending === 0 && room.unfinished === 0)
      }),
    )
  })
})

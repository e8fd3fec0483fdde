import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Stop } from '../attempts/attempt-state.ts'
import { ManualTime } from '../testing/manual-time.ts'
import { LeaseClock } from './lease-clock.ts'
import { watchLeases } from './lease-watch.ts'

const strict = 1n
const lenient = 2n

const watched = (connected: boolean) => {
  const time = new ManualTime()
  const leases = new LeaseClock()
  leases.grant(15)
  for (const fence of [strict, lenient]) leases.begin(fence, time.monotonic())
  const killedAt = new Map<bigint, number>()
  const stopped = new Map<bigint, Stop & { at: number }>()
  const attempts = {
    endWithLease: (fence: bigint) => {
      if (fence !== strict) return false
      if (!killedAt.has(fence)) killedAt.set(fence, time.monotonic())
      leases.end(fence)
      return true
    },
    stop: (fence: bigint, stop: Stop) => {
      if (!stopped.has(fence)) stopped.set(fence, { ...stop, at: time.monotonic() })
    },
  }
  const log = { info: () => {}, warn: () => {} }
  const watch = watchLeases({ time, log, leases, attempts, connected: () => connected, graceMs: 60_000 })
  return { time, leases, killedAt, stopped, [Symbol.dispose]: () => watch[Symbol.dispose]() }
}

describe('the watch of leases', () => {
  test('kills what may be tried again before its lease is over, and lets the rest go on for the grace', () => {
    using subject = watched(false)
    subject.time.advance(13_000)
    assert.equal(subject.killedAt.size, 0)
    subject.time.advance(2_000)
    assert.ok((subject.killedAt.get(strict) ?? Infinity) < 15_000)
    subject.time.advance(59_900)
    assert.equal(subject.stopped.size, 0)
    subject.time.advance(600)
    assert.deepEqual([...subject.stopped.keys()], [lenient])
    assert.match(subject.stopped.get(lenient)?.reason ?? '', /could not reach the control plane for 75 s/)
  })

  test('kills it also while there is a stream on which nothing is answered; of the rest the control plane decides', () => {
    using subject = watched(true)
    subject.time.advance(200_000)
    assert.ok((subject.killedAt.get(strict) ?? Infinity) < 15_000)
    assert.equal(subject.stopped.size, 0)
  })

  test('ends nothing while heartbeats are accepted', () => {
    using subject = watched(true)
    for (let beat = 0; beat < 20; beat++) {
      const sequence = subject.leases.send([strict, lenient], subject.time.monotonic())
      subject.time.advance(3_000)
      subject.leases.accept(sequence, [])
    }
    assert.equal(subject.killedAt.size, 0)
  })
})

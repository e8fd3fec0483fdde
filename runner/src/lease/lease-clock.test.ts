import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LeaseClock } from './lease-clock.ts'

describe('the lease clock', () => {
  test('a lease runs from the moment the accepted heartbeat was sent, not answered', () => {
    const clock = new LeaseClock()
    clock.grant(15)
    clock.begin(1n, 0)
    const sequence = clock.send([1n], 10_000)
    clock.accept(sequence, [])
    assert.deepEqual(clock.expired(25_000), [])
    assert.deepEqual(clock.expired(25_001), [1n])
  })

  test('one unanswered heartbeat ends nothing', () => {
    const clock = new LeaseClock()
    clock.grant(15)
    clock.begin(1n, 0)
    clock.send([1n], 3_000)
    clock.accept(clock.send([1n], 6_000), [])
    assert.deepEqual(clock.expired(20_000), [])
    assert.equal(clock.unansweredSince, undefined)
  })

  test('an answer renews what the heartbeat named, and nothing that it calls lost', () => {
    const clock = new LeaseClock()
    clock.grant(15)
    for (const fence of [1n, 2n, 3n]) clock.begin(fence, 0)
    clock.accept(clock.send([1n, 2n], 10_000), [2n])
    clock.accept(99, [])
    assert.deepEqual(clock.expired(15_001), [2n, 3n])
    assert.deepEqual(clock.expired(25_001, 10_000), [2n, 3n])
    clock.end(2n)
    assert.deepEqual(clock.expired(15_001), [3n])
  })

  test('a lease never outlives what the control plane grants, whatever is lost or late', () => {
    const step = fc.record({ wait: fc.nat(9_000), answered: fc.boolean(), delay: fc.nat(9_000) })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const clock = new LeaseClock()
        clock.grant(15)
        clock.begin(7n, 0)
        let now = 0
        // The control plane extends its lease when the heartbeat arrives: at the earliest when it is sent.
        let granted = 15_000
        for (const { wait, answered, delay } of steps) {
          now += wait
          const sequence = clock.send([7n], now)
          if (!answered) continue
          granted = now + 15_000
          now += delay
          clock.accept(sequence, [])
        }
        assert.deepEqual(clock.expired(granted + 1), [7n])
      }),
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readLane } from './lanes.ts'
import { Slots, withoutHandedBack } from './slots.ts'

describe('free slots', () => {
  test('go to the first tier that has one, and there to the runner that is least busy for its size', () => {
    const slots = new Slots([
      { id: 'plain', capacity: 2, busy: 1 },
      { id: 'empty', capacity: 1, busy: 0 },
      { id: 'special', capacity: 9, busy: 0 },
    ])
    const tiers = [['plain', 'empty'], ['special']]
    assert.deepEqual(
      [1, 2, 3].map(() => slots.take(tiers)),
      ['empty', 'plain', 'special'],
    )
  })

  test('are never given out beyond the capacity of any runner', () => {
    const runner = fc.record({ capacity: fc.integer({ min: 1, max: 5 }), busy: fc.nat(7) })
    fc.assert(
      fc.property(fc.array(runner, { maxLength: 5 }), fc.nat(40), (runners, wishes) => {
        const places = runners.map((place, index) => ({ ...place, id: String(index) }))
        const slots = new Slots(places)
        const free = slots.free
        const taken = new Map<string, number>()
        for (let wish = 0; wish < wishes; wish++) {
          const id = slots.take([places.map((place) => place.id)])
          if (id !== undefined) taken.set(id, (taken.get(id) ?? 0) + 1)
        }
        for (const { id, capacity, busy } of places) {
          assert.ok((taken.get(id) ?? 0) <= Math.max(0, capacity - busy))
        }
        const given = [...taken.values()].reduce((sum, count) => sum + count, 0)
        assert.equal(given, Math.min(free, wishes))
      }),
    )
  })
})

describe('a lane', () => {
  test('reads back what the database made of scope and requirement', () => {
    assert.deepEqual(readLane('acme/web/production {"labels": ["gpu"], "executor": "host"}'), {
      scope: 'acme/web/production',
      executor: 'host',
      labels: ['gpu'],
      runner: null,
    })
    assert.equal(readLane('nonsense'), undefined)
    assert.equal(readLane('scope {'), undefined)
  })
})

test('an attempt that a runner handed back is for the others, and after a while for it as well', () => {
  const at = new Date(0)
  const tiers = [['one', 'other'], ['rare']]
  const after = (ms: number) => withoutHandedBack(tiers, { by: 'one', at }, new Date(ms))
  assert.deepEqual(after(9_999), [['other'], ['rare']])
  assert.deepEqual(after(10_000), tiers)
  assert.deepEqual(withoutHandedBack(tiers, null, at), tiers)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findDeadlocks, type WaitingChild } from './deadlock.ts'

const child = (id: string, group: string, holders: readonly string[], above: readonly string[]): WaitingChild => ({
  id,
  group,
  holders,
  above,
})

describe('runs of tasks that wait in groups', () => {
  test('wait for each other in a circle of two: the younger has to go, and says why', () => {
    const first = child('3', 'g2', ['B'], ['A'])
    const second = child('4', 'g1', ['A'], ['B'])
    const expected = [
      {
        id: '4',
        reason:
          'Runs wait for each other for ever: it waits for its turn in the group g1 behind run A, which wants run 3; run 3 waits for its turn in the group g2 behind run B, which wants this one.',
      },
    ]
    assert.deepEqual(findDeadlocks([first, second]), expected)
    assert.deepEqual(findDeadlocks([second, first]), expected)
  })

  test('wait in a longer circle, also where the one that waits is a grandchild', () => {
    const found = findDeadlocks([
      child('7', 'b', ['B'], ['A1', 'A']),
      child('9', 'c', ['C'], ['B']),
      child('8', 'a', ['A'], ['C2', 'C1', 'C']),
    ])
    assert.deepEqual(
      found.map(({ id }) => id),
      ['9'],
    )
    assert.match(
      found[0]?.reason ?? '',
      /: it waits .* c behind run C, which wants run 8; run 8 .* a behind run A, which wants run 7; run 7 .* b behind run B, which wants this one\.$/,
    )
  })

  test('wait behind the run that wants them', () => {
    assert.deepEqual(
      findDeadlocks([child('5', 'g', ['A'], ['A'])]).map(({ id }) => id),
      ['5'],
    )
  })

  test('wait for runs that will end: nothing is wrong', () => {
    assert.deepEqual(findDeadlocks([]), [])
    assert.deepEqual(findDeadlocks([child('3', 'g2', ['B'], ['A']), child('4', 'g3', ['C'], ['B'])]), [])
    assert.deepEqual(findDeadlocks([child('3', 'g2', [], ['A']), child('4', 'g1', ['A'], ['B'])]), [])
  })

  test('are in two circles: each has its youngest', () => {
    const found = findDeadlocks([
      child('3', 'g2', ['B'], ['A']),
      child('4', 'g1', ['A'], ['B']),
      child('5', 'g4', ['D'], ['C']),
      child('6', 'g3', ['C'], ['D']),
    ])
    assert.deepEqual(found.map(({ id }) => id).sort(), ['4', '6'])
  })
})

const name = fc.constantFrom('A', 'B', 'C', 'D', 'E')
const anything = fc
  .array(
    fc.record({
      holders: fc.uniqueArray(name, { maxLength: 2 }),
      above: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    }),
    {
      maxLength: 9,
    },
  )
  .map((all) => all.map(({ holders, above }, at) => child(`${at}`, `g${holders}`, holders, above)))

/** The children that can never begin. A child can begin some day when none of its holders is above a stuck child. */
function stuck(children: readonly WaitingChild[]): readonly WaitingChild[] {
  const still = children.filter(({ holders }) =>
    holders.some((holder) => children.some(({ above }) => above.includes(holder))),
  )
  return still.length === children.length ? still : stuck(still)
}

test('without those that are found nobody waits for ever, and none is found where nobody does', () => {
  fc.assert(
    fc.property(anything, (children) => {
      const gone = new Set(findDeadlocks(children).map(({ id }) => id))
      assert.deepEqual(stuck(children.filter(({ id }) => !gone.has(id))), [])
      if (stuck(children).length === 0) assert.equal(gone.size, 0)
    }),
  )
})

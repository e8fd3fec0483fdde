import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createFairShares } from './fair-shares.ts'

/** How much a holder gets, one at a time, until it is refused. */
function fill(shares: ReturnType<typeof createFairShares>, holder: string): number {
  let got = 0
  while (shares.take(holder, 1)) got += 1
  return got
}

describe('fair shares', () => {
  test('one holder alone gets half, and the next ones always find some', () => {
    const shares = createFairShares(1000)
    assert.equal(fill(shares, 'a'), 500)
    assert.equal(fill(shares, 'b'), 250)
    assert.ok(shares.mayTake('c', 1))
    assert.equal(shares.mayTake('a', 1), false)
  })

  test('what is given back is there again', () => {
    const shares = createFairShares(10)
    assert.equal(fill(shares, 'a'), 5)
    shares.giveBack('a', 5)
    assert.equal(fill(shares, 'a'), 5)
  })

  test('more than all is let through where nobody holds anything, so that no size is refused for ever', () => {
    const shares = createFairShares(10)
    assert.equal(shares.take('a', 50), true)
    assert.equal(shares.take('b', 1), false)
    shares.giveBack('a', 50)
    assert.equal(shares.take('b', 1), true)
  })

  test('a member that uses up all it gets leaves some for the others of its holder', () => {
    const shares = createFairShares(1000)
    const fillAs = (member: string): number => {
      let got = 0
      while (shares.take('a', 1, member)) got += 1
      return got
    }
    assert.equal(fillAs('a one'), 250, 'half of the half that a holder alone may have')
    assert.equal(fillAs('a two'), 125)
    assert.ok(shares.mayTake('a', 1, 'a three'))
    assert.equal(shares.mayTake('a', 1, 'a one'), false)
    shares.giveBack('a', 250, 'a one')
    assert.ok(shares.mayTake('a', 60, 'a two'))
  })

  test('all holders together never hold more than there is, whatever they take and give back', () => {
    const step = fc.record({ holder: fc.constantFrom('a', 'b', 'c', 'd'), amount: fc.integer({ min: 1, max: 40 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.infiniteStream(fc.boolean()), (steps, gives) => {
        const shares = createFairShares(100)
        const held: { holder: string; amount: number }[] = []
        for (const { holder, amount } of steps) {
          const first = held[0]
          if (first && gives.next().value) {
            held.shift()
            shares.giveBack(first.holder, first.amount)
          } else if (shares.take(holder, amount)) held.push({ holder, amount })
          const total = held.reduce((sum, one) => sum + one.amount, 0)
          assert.ok(total <= 100, `${total} are held`)
        }
      }),
    )
  })
})

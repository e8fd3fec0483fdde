import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { createPace } from './pace.ts'

/** A pace, and what began in each turn so far. */
function observed() {
  const pending: (() => void)[] = []
  const testClock = createTestClock()
  const clock = { ...testClock, nextTurn: (callback: () => void) => void pending.push(callback) }
  const pace = createPace(clock)
  let begun: string[] = []
  return {
    pace,
    clock: testClock,
    begin(source: string, name = source): void {
      const begins = (): void => void begun.push(name)
      const turn = pace.turn(source)
      if (turn) turn.then(begins, (error: { code: string }) => begun.push(error.code))
      else begins()
    },
    /** The deliveries that have begun since the last call, once the due turn is taken. */
    async turn(): Promise<string[]> {
      for (const callback of pending.splice(0)) callback()
      await new Promise(setImmediate)
      const seen = begun
      begun = []
      return seen
    },
    due: () => pending.length,
  }
}

describe('deliveries that come together', () => {
  test('begin eight in a turn, in their order, and at once where few came', async () => {
    const { begin, turn, due } = observed()
    const names = Array.from({ length: 20 }, (_, at) => `${at}`)
    for (const name of names) begin('source', name)
    assert.equal(due(), 1)
    assert.deepEqual(await turn(), names.slice(0, 16), 'eight at once and eight in the next turn')
    begin('source', 'late')
    assert.deepEqual(await turn(), [...names.slice(16), 'late'])
    assert.deepEqual(await turn(), [])
    assert.equal(due(), 0)
    begin('source', 'alone')
    assert.deepEqual(await turn(), ['alone'])
  })

  test('of one source keep no other waiting behind them', async () => {
    const { begin, turn } = observed()
    for (let at = 0; at < 500; at += 1) begin('loud')
    begin('quiet')
    const first = await turn()
    assert.equal(first.length, 16)
    assert.ok(first.includes('quiet'))
  })

  test('whose turn does not come in time are told so, and those behind them are not kept waiting by them', async () => {
    const { clock, begin, turn, pace } = observed()
    for (let at = 0; at < 108; at += 1) begin('source')
    await clock.advance(1999)
    begin('source', 'late')
    await clock.advance(1)
    const told = await turn()
    assert.equal(told.filter((name) => name === 'delivery.overloaded').length, 100)
    assert.equal(told.at(-1), 'late')
    await turn()
    assert.equal(pace.turn('source'), undefined)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SharedReadings } from './shared-readings.ts'

/** Readings that end when they are told to, in the order in which they begin. */
function heldReadings() {
  const held: PromiseWithResolvers<string>[] = []
  const read = (): Promise<string> => {
    const one = Promise.withResolvers<string>()
    held.push(one)
    return one.promise
  }
  return { held, read }
}

const settled = (): Promise<void> => new Promise(setImmediate)

describe('readings that many ask for', () => {
  test('begin after whoever gets them asked, and are shared by those who wait', async () => {
    const readings = new SharedReadings<string>()
    const { held, read } = heldReadings()
    const first = readings.read('a', read)
    const waiting = [readings.read('a', read), readings.read('a', read)]
    assert.equal(held.length, 1)
    held[0]?.resolve('before')
    assert.equal(await first, 'before')
    await settled()
    assert.equal(held.length, 2)
    const later = readings.read('a', read)
    held[1]?.resolve('after')
    assert.deepEqual(await Promise.all(waiting), ['after', 'after'])
    await settled()
    assert.equal(held.length, 3, 'who asked while the second was under way gets a third')
    held[2]?.resolve('last')
    assert.equal(await later, 'last')
    await settled()
    void readings.read('a', read)
    assert.equal(held.length, 4, 'nothing is kept when all are over')
  })

  test('of different keys have nothing to do with each other', () => {
    const readings = new SharedReadings<string>()
    const { held, read } = heldReadings()
    void readings.read('a', read)
    void readings.read('b', read)
    assert.equal(held.length, 2)
  })

  test('that fail are told to those who share them, and to nobody else', async () => {
    const readings = new SharedReadings<string>()
    const { held, read } = heldReadings()
    const first = readings.read('a', read)
    const second = readings.read('a', read)
    held[0]?.reject(new Error('away'))
    await assert.rejects(first, /away/)
    await settled()
    held[1]?.resolve('back')
    assert.equal(await second, 'back')
  })
})

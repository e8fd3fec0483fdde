import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { createLargeQueue } from './large-queue.ts'

/** A queue, and the names of its running tasks, each of which ends when it is told to. */
function observed() {
  const clock = createTestClock()
  const queue = createLargeQueue(clock)
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    clock,
    begun,
    run: (source: string, name = source) =>
      queue.run(source, () => {
        begun.push(name)
        const { promise, resolve } = Promise.withResolvers<string>()
        ends.push(() => resolve(name))
        return promise
      }),
    async endOne(): Promise<void> {
      await new Promise(setImmediate)
      ends.shift()?.()
      await new Promise(setImmediate)
    },
  }
}

describe('large deliveries', () => {
  test('are worked at one after the other, and their sources take turns', async () => {
    const { run, begun, endOne } = observed()
    const all = ['a1', 'a2', 'a3'].map((name) => run('a', name))
    all.push(run('b', 'b1'))
    await new Promise(setImmediate)
    assert.deepEqual(begun, ['a1'])
    for (let ended = 0; ended < 4; ended += 1) await endOne()
    assert.deepEqual(begun.indexOf('b1') < begun.indexOf('a3'), true, begun.join(' '))
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1'])
  })

  test('whose turn does not come in time are told to come back, and are never worked at', async () => {
    const { run, begun, clock, endOne } = observed()
    const first = run('source', 'first')
    const late = run('source', 'late')
    await Promise.all([assert.rejects(late, { code: 'delivery.overloaded' }), clock.advance(2000)])
    const next = run('source', 'next')
    await endOne()
    await endOne()
    assert.deepEqual([await first, await next, begun], ['first', 'next', ['first', 'next']])
  })

  test('that fail make room for the next', async () => {
    const queue = createLargeQueue(createTestClock())
    const failed = queue.run('source', () => Promise.reject(new Error('broken')))
    const next = queue.run('source', () => 'done')
    await assert.rejects(failed, /broken/)
    assert.equal(await next, 'done')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { giveBackWhenQuiet, type Memory, processMemory } from './index.ts'

const MB = 1024 * 1024

function aMemory() {
  const state = { cpuMs: 0, heapMb: 120, collected: 0 }
  const memory: Memory = {
    cpuMs: () => state.cpuMs,
    heapBytes: () => state.heapMb * MB,
    collect() {
      state.collected += 1
      state.heapMb = 50
    },
  }
  return { state, memory }
}

describe('memory that a quiet process gives back', () => {
  test('it collects once, and again only after the heap has grown', async () => {
    const clock = createTestClock()
    const { state, memory } = aMemory()
    giveBackWhenQuiet(clock, memory)
    await clock.advance(120_000)
    assert.equal(state.collected, 1)
    state.heapMb = 75
    await clock.advance(120_000)
    assert.equal(state.collected, 1)
    state.heapMb = 200
    await clock.advance(120_000)
    assert.equal(state.collected, 2)
  })

  test('a busy process is left alone', async () => {
    const clock = createTestClock()
    const { state, memory } = aMemory()
    giveBackWhenQuiet(clock, memory)
    for (let second = 0; second < 60; second++) {
      state.cpuMs += 100
      await clock.advance(1000)
    }
    assert.equal(state.collected, 0)
  })

  test('it ends when it is cancelled', async () => {
    const clock = createTestClock()
    const { state, memory } = aMemory()
    giveBackWhenQuiet(clock, memory).cancel()
    await clock.advance(120_000)
    assert.equal(state.collected, 0)
  })

  test('the heap of this process is smaller after a collection', () => {
    const memory = processMemory()
    const garbage = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
    garbage.length = 0
    const before = memory.heapBytes()
    memory.collect()
    assert.ok(memory.heapBytes() < before)
    assert.ok(memory.cpuMs() > 0)
  })
})

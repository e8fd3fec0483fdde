import { expect, test } from 'vitest'
import { GrowingRest } from './growing-rest.ts'

test('a rest grows while changes go on, and is short again after a quiet time', () => {
  const rest = new GrowingRest()
  let now = 1000
  const rests: number[] = []
  for (let turn = 0; turn < 7; turn += 1) {
    const restMs = rest.next(now, 10)
    rests.push(restMs)
    now += restMs + 10
  }
  expect(rests).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000, 15_000])
  now += 60_000
  expect(rest.next(now, 10)).toBe(1000)
})

test('a rest is never shorter than the reading took', () => {
  const rest = new GrowingRest()
  expect(rest.next(0, 20_000)).toBe(20_000)
})

import { expect, test } from 'vitest'
import { estimateOf, placeOf } from './waiting-words.ts'

const none = { queue_position: null, queue_position_over: null, queue_estimate_seconds: null }

test('the place in words', () => {
  expect(placeOf(none)).toBe(undefined)
  expect(placeOf({ ...none, queue_position: 1 })).toBe('It is the next one.')
  expect(placeOf({ ...none, queue_position: 2 })).toBe('Number 2: 1 run begins before it.')
  expect(placeOf({ ...none, queue_position: 9 })).toBe('Number 9: 8 runs begin before it.')
  expect(placeOf({ ...none, queue_position_over: 1000 })).toBe('More than 1000 runs begin before it.')
})

test('the estimate in words', () => {
  expect(estimateOf(none)).toBe(undefined)
  expect(estimateOf({ ...none, queue_position: 3 })).toMatch(/^Nobody can say/)
  expect(estimateOf({ ...none, queue_position: 3, queue_estimate_seconds: 90 })).toMatch(/^About 1 min 30 s/)
})

import { expect, test } from 'vitest'
import { findChanges } from './changes.ts'

test('only what differs is told, by its path', () => {
  const before = { name: 'a', limits: { cpu: 1, memory: 2 }, labels: ['x'] }
  const after = { name: 'a', limits: { cpu: 1, memory: 3 }, labels: ['x', 'y'], image: null }
  expect(findChanges(before, after)).toEqual([
    { field: 'limits.memory', before: '2', after: '3' },
    { field: 'labels', before: '["x"]', after: '["x","y"]' },
    { field: 'image', before: undefined, after: 'null' },
  ])
})

test('what was made has no before, what was deleted no after', () => {
  expect(findChanges(null, { name: 'a' })).toEqual([{ field: 'name', before: undefined, after: '"a"' }])
  expect(findChanges({ name: 'a' }, null)).toEqual([{ field: 'name', before: '"a"', after: undefined }])
  expect(findChanges(null, null)).toEqual([])
})

import { expect, test } from 'vitest'
import { addressOfSelection, readRunAddress, selectionOf } from './run-address.ts'

test('reads what it knows, and leaves out the rest', () => {
  expect(readRunAddress({ tab: 'values', view: 'table', task: 'build/compile', attempt: 2 })).toEqual({
    tab: 'values',
    view: 'table',
    task: 'build/compile',
    attempt: 2,
  })
  const log = { line: 'build/compile/1:3-5', find: 'error', expression: true as const }
  expect(readRunAddress(log)).toEqual(log)
  expect(readRunAddress({ tab: 'nothing', view: 7, task: '', attempt: -1 })).toEqual({})
})

test('a selection goes to the address and back', () => {
  for (const selection of [
    { step: 'build' },
    { step: 'build', task: 'compile' },
    { step: 'test', task: 'unit-a/b', attempt: 3 },
  ]) {
    expect(selectionOf(addressOfSelection(selection))).toEqual(selection)
  }
  expect(selectionOf(addressOfSelection(undefined))).toBe(undefined)
})

test('what is unfolded in the graph stands in the address', () => {
  expect(readRunAddress({ open: ['build', 'test/unit-*'] })).toEqual({ open: ['build', 'test/unit-*'] })
})

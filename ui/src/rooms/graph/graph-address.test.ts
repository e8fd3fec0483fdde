import { expect, test } from 'vitest'
import { addressOfUnfolded, readGraphAddress, unfoldedOf } from './graph-address.ts'

test('reads what is unfolded, and leaves out what it cannot mean', () => {
  expect(readGraphAddress({ open: ['build', 'test/unit-*', 1], tab: 'document' })).toEqual({
    open: ['build', 'test/unit-*'],
  })
  expect(readGraphAddress({ open: 'all' })).toEqual({ open: 'all' })
  for (const open of [[], [7], 'build', true, undefined]) expect(readGraphAddress({ open })).toEqual({})
})

test('what is unfolded goes to the address and back', () => {
  for (const unfolded of ['all', new Set(['build', 'test/unit-*']), new Set<string>()] as const) {
    expect(unfoldedOf(readGraphAddress({ ...addressOfUnfolded(unfolded) }))).toEqual(unfolded)
  }
  expect(addressOfUnfolded(new Set())).toEqual({ open: undefined })
})

import { expect, test } from 'vitest'
import { isWanted, readTraceAddress } from './trace-address.ts'

test('a rule is wanted by its run or its trigger, and by nothing that is missing', () => {
  const rule = { run_id: 'r', trigger_id: 't' }
  expect(isWanted({ run: 'r' }, rule)).toBe(true)
  expect(isWanted({ trigger: 't' }, rule)).toBe(true)
  expect(isWanted({ run: 'other', trigger: 'other' }, rule)).toBe(false)
  expect(isWanted({}, { run_id: null, trigger_id: null })).toBe(false)
})

test('the address holds texts alone', () => {
  expect(readTraceAddress({ run: 'r', trigger: 1 })).toEqual({ run: 'r' })
})

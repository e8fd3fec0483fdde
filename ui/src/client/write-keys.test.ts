import { expect, test } from 'vitest'
import { WriteKeys } from './write-keys.ts'

const start = { params: { id: 'a' }, body: { scope: 'acme/test' } }

test('a write that nobody answered has the same key when it is pressed again', () => {
  const keys = new WriteKeys()
  const first = keys.take('POST /runs', start)
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(keys.take('POST /runs', { body: { scope: 'acme/test' }, params: { id: 'a' } })).toBe(first)
})

test('another input, another route, and a write after the answer have keys of their own', () => {
  const keys = new WriteKeys()
  const first = keys.take('POST /runs', start)
  expect(keys.take('POST /runs', { ...start, body: { scope: 'acme/other' } })).not.toBe(first)
  expect(keys.take('POST /rerun', start)).not.toBe(first)
  keys.answered('POST /runs', start)
  expect(keys.take('POST /runs', start)).not.toBe(first)
})

import { expect, test } from 'vitest'
import { memberQuery } from './members-address.ts'

test('the API is asked by the filters alone, and by none that it does not know', () => {
  const asked = { subject: 'user:1', kind: 'group', role: 'owner', origin: 'inherited', name: 'le' }
  expect(memberQuery(asked)).toEqual({ limit: 100, kind: 'group', role: 'owner', origin: 'inherited', name: 'le' })
  expect(memberQuery({ kind: 'robot', role: 'king', origin: 'above' })).toEqual({ limit: 100 })
  expect(memberQuery({ name: 'a'.repeat(300) }).name).toHaveLength(200)
})

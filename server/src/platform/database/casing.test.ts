import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { toCamel, toSnake } from './casing.ts'

describe('the casing of columns and fields', () => {
  test('a row is read with the names of fields, and its values stay as they are', () => {
    const at = new Date()
    const row = { id: '1', team_path: 'acme', created_at: at, environment: { A_B: 'c_d' } }
    assert.deepEqual(toCamel(row), { id: '1', teamPath: 'acme', createdAt: at, environment: { A_B: 'c_d' } })
  })

  test('fields are written with the names of columns', () => {
    assert.deepEqual(toSnake({ id: '1', teamPath: 'acme', ownerKind: null }), {
      id: '1',
      team_path: 'acme',
      owner_kind: null,
    })
  })

  test('a name of a column comes back as it was', () => {
    const name = fc.stringMatching(/^[a-z]+(_[a-z]+)*$/)
    fc.assert(fc.property(name, (column) => assert.deepEqual(toSnake(toCamel({ [column]: 1 })), { [column]: 1 })))
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { moment } from './payload-fields.ts'

const read = (at: unknown) => moment({ at }, 'at')

describe('a moment', () => {
  test('is the instant in UTC with milliseconds, however it was written', () => {
    const instants = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, (instant) => {
        const text = instant.toISOString()
        assert.equal(read(text), text)
        assert.equal(read(`${text.slice(0, 19)}Z`), `${text.slice(0, 19)}.000Z`)
        assert.equal(read(`${text.slice(0, 10)} ${text.slice(11, 19)} UTC`), `${text.slice(0, 19)}.000Z`)
      }),
    )
    assert.equal(read('2026-11-21T03:55:12+02:00'), '2026-11-21T01:55:12.000Z')
    assert.equal(read(1_795_228_637), '2026-11-21T02:37:17.000Z')
  })

  test('is null for what is none', () => {
    for (const at of [
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:61:00Z',
      '2026-01-32T00:00:00Z',
      '1969-12-31T23:59:59Z',
      '2026-13-01 00:00:00 UTC',
      '2026-01-01 00:00:00',
      '2026-01-01 00:00:00 CET',
      'x',
      null,
    ]) {
      assert.equal(read(at), null, String(at))
    }
  })
})

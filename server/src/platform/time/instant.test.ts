import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isInstant } from './index.ts'

describe('an instant on the wire', () => {
  test('is RFC 3339, as it is written by ourselves and by others', () => {
    const from = new Date('0001-01-01T00:00:00Z')
    const to = new Date('9999-12-31T23:59:59.999Z')
    fc.assert(fc.property(fc.date({ min: from, max: to, noInvalidDate: true }), (at) => isInstant(at.toISOString())))
    for (const text of ['2026-11-21T09:00:00Z', '2026-11-21t09:00:00.123456z', '2024-02-29T23:59:59+05:30']) {
      assert.ok(isInstant(text), text)
    }
  })

  test('is none that a Date or the database would not hold as it was sent', () => {
    const odd = ['2026-12-31T23:59:60Z', '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '0000-01-01T00:00:00Z']
    const other = ['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-01T24:00:01Z']
    const forms = ['2026-11-21', '2026-11-21T09:00:00', '2026-11-21 09:00:00Z', '+002026-11-21T09:00:00Z', 'now', '']
    const outside = ['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01']
    for (const text of [
      ...odd,
      ...other,
      ...outside,
      ...forms,
      '2026-11-21T09:00:00Z\n',
      '2026-01-01T00:00:00+99:99',
    ]) {
      assert.equal(isInstant(text), false, text)
    }
  })
})

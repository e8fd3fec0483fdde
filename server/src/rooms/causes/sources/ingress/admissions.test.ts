import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createAdmissions } from './admissions.ts'

const MEGABYTE = 1024 * 1024
const LARGE = 256 * 1024
const OVERLOADED = { code: 'delivery.overloaded' }

describe('what is in hand', () => {
  test('is a thousand deliveries of one source alone, and another source still gets in', () => {
    const admissions = createAdmissions(LARGE)
    const tickets = Array.from({ length: 1000 }, () => admissions.take('loud', 10))
    assert.throws(() => admissions.take('loud', 10), OVERLOADED)
    assert.throws(() => admissions.requireCapacity('loud'), OVERLOADED)
    assert.doesNotThrow(() => admissions.requireCapacity('quiet'))
    admissions.take('quiet', 10).giveBack()
    tickets[0]?.giveBack()
    assert.doesNotThrow(() => admissions.requireCapacity('loud'))
  })

  test('is 64 MiB of one source alone: two of the largest bodies, and another source still gets in', () => {
    const admissions = createAdmissions(LARGE)
    const first = admissions.take('loud', 25 * MEGABYTE)
    admissions.take('loud', 25 * MEGABYTE)
    assert.throws(() => admissions.take('loud', 25 * MEGABYTE), OVERLOADED)
    admissions.take('quiet', 20 * MEGABYTE)
    first.giveBack()
    admissions.take('loud', 25 * MEGABYTE)
  })

  test('keeps some bytes for ordinary bodies, however many large ones come', () => {
    const admissions = createAdmissions(LARGE)
    for (let bytes = 32 * MEGABYTE; bytes >= LARGE; ) {
      try {
        admissions.take('source', bytes)
      } catch {
        bytes /= 2
      }
    }
    for (let ordinary = 0; ordinary < 100; ordinary += 1) admissions.take('source', 8192)
  })

  test('is free again when nobody needs the place any more, and only once', () => {
    const admissions = createAdmissions(LARGE)
    const others = Array.from({ length: 999 }, () => admissions.take('source', 0))
    const ticket = admissions.take('source', 0)
    const release = ticket.retain()
    ticket.giveBack()
    ticket.giveBack()
    assert.throws(() => admissions.requireCapacity('source'), OVERLOADED)
    release()
    release()
    admissions.take('source', 0)
    assert.throws(() => admissions.requireCapacity('source'), OVERLOADED)
    assert.equal(others.length, 999)
  })

  test('is nothing once all was given back, in whichever order', () => {
    const steps = fc.array(fc.record({ source: fc.constantFrom('a', 'b'), bytes: fc.nat(40 * MEGABYTE) }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(steps, fc.func(fc.integer()), (given, order) => {
        const admissions = createAdmissions(LARGE)
        const taken = given.flatMap(({ source, bytes }) => {
          try {
            return [admissions.take(source, bytes)]
          } catch {
            return []
          }
        })
        const releases = taken.flatMap((ticket) => [ticket.retain(), () => ticket.giveBack()])
        for (const release of releases.toSorted((one, other) => order(one) - order(other))) release()
        // Where nobody holds anything, any amount may be taken.
        assert.doesNotThrow(() => admissions.take('a', 200 * MEGABYTE))
      }),
    )
  })
})

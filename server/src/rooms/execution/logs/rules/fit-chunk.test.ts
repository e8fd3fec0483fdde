import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fitChunk } from './fit-chunk.ts'

describe('a chunk joins a log', () => {
  test('exactly at its end, or cut, or not at all', () => {
    assert.deepEqual(fitChunk(5, 5, 3), { kind: 'append', skip: 0 })
    assert.deepEqual(fitChunk(5, 3, 3), { kind: 'append', skip: 2 })
    assert.deepEqual(fitChunk(5, 2, 3), { kind: 'known' })
    assert.deepEqual(fitChunk(5, 6, 1), { kind: 'gap' })
  })

  test('so that any sequence of chunks leaves lines that begin at 0 and are each there once', () => {
    const chunk = fc.record({ first: fc.nat(30), count: fc.integer({ min: 1, max: 10 }) })
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), (chunks) => {
        const lines: number[] = []
        for (const { first, count } of chunks) {
          const fit = fitChunk(lines.length, first, count)
          if (fit.kind !== 'append') continue
          for (let line = first + fit.skip; line < first + count; line++) lines.push(line)
        }
        assert.deepEqual(
          lines,
          lines.map((_, index) => index),
        )
      }),
    )
  })
})

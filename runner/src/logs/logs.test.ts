import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { fromBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import fc from 'fast-check'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { compressLines } from './compress-lines.ts'
import { LineEncoder } from './encode-lines.ts'
import { LineSplitter, LONGEST_LINE } from './line-splitter.ts'
import { LogBuffer } from './log-buffer.ts'

const split = (pieces: readonly Buffer[]): string[] => {
  const lines: string[] = []
  const splitter = new LineSplitter()
  const take = (bytes: Buffer, start: number, end: number) => void lines.push(bytes.toString('utf8', start, end))
  for (const piece of pieces) splitter.push(piece, take)
  splitter.end(take)
  return lines
}

describe('lines', () => {
  test('do not depend on where the writes were cut', () => {
    const text = fc.array(fc.constantFrom('a', 'ä', '🎈', '\n', '\r\n', '\r', '\0', 'word '), { maxLength: 60 })
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 6 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
        const pieces = borders.slice(1).map((end, index) => bytes.subarray(borders[index], end))
        const expected = parts.join('').replaceAll('\0', '\u{fffd}').split('\n')
        if (expected.at(-1) === '') expected.pop()
        const ends = expected.map((line, index) =>
          line.endsWith('\r') && (index < expected.length - 1 || parts.join('').endsWith('\n'))
            ? line.slice(0, -1)
            : line,
        )
        assert.deepEqual(split(pieces), ends)
      }),
      { numRuns: 500 },
    )
  })

  test('hold what a database can store, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 80 })), (pieces) => {
        for (const line of split(pieces.map((piece) => Buffer.from(piece)))) {
          assert.ok(line.isWellFormed() && !line.includes('\0') && !line.includes('\n'))
        }
      }),
    )
    assert.deepEqual(split([Buffer.from([0x61, 0xff, 0x0a, 0xc3])]), ['a\u{fffd}', '\u{fffd}'])
  })

  test('that are too long are cut between characters, and nothing is lost', () => {
    for (const letter of ['x', 'ä', '🎈']) {
      const text = letter.repeat(LONGEST_LINE)
      for (const pieces of [[Buffer.from(text)], [Buffer.from(`${text}\n`)]]) {
        const lines = split(pieces)
        assert.ok(lines.length >= 1 && lines.every((line) => Buffer.byteLength(line) <= LONGEST_LINE))
        assert.equal(lines.join(''), text)
      }
    }
  })

  test('that were cut say that they go on, so that they can be put together again', () => {
    const part = fc.constantFrom('short\n', `${'x'.repeat(LONGEST_LINE + 7)}\n`, 'ä'.repeat(LONGEST_LINE), '\n', 'y')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 6 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
        const splitter = new LineSplitter()
        let text = ''
        const take = (line: Buffer, start: number, end: number, goesOn: boolean) => {
          text += line.toString('utf8', start, end) + (goesOn ? '' : '\n')
        }
        for (const [index, end] of borders.slice(1).entries()) splitter.push(bytes.subarray(borders[index], end), take)
        splitter.end(take)
        const whole = parts.join('')
        assert.equal(text, whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`)
      }),
      { numRuns: 60 },
    )
  })

  test('are encoded as the contract says', () => {
    const line = fc.record({
      stream: fc.constantFrom('stdout' as const, 'stderr' as const, 'system' as const),
      atMs: fc.nat({ max: 2 ** 45 }),
      text: fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => text.isWellFormed()),
      continued: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const encoder = new LineEncoder()
        for (const { stream, atMs, text, continued } of lines) {
          const bytes = Buffer.from(text)
          encoder.add(stream, atMs, bytes, 0, bytes.length, continued)
        }
        assert.equal(encoder.count, lines.length)
        const read = fromBinary(LogLinesSchema, encoder.take()).lines
        assert.deepEqual(
          read.map(({ stream, atMs, text, continued }) => ({ stream, atMs: Number(atMs), text, continued })),
          lines.map(({ stream, atMs, text, continued }) => ({ stream, atMs, text, continued })),
        )
      }),
    )
  })
})

const chunkOf = (firstLine: number, count: number) => {
  const encoder = new LineEncoder()
  for (let line = firstLine; line < firstLine + count; line++) {
    const text = Buffer.from(`line ${line}`)
    encoder.add('stdout', 1, text, 0, text.length)
  }
  return { firstLine, lineCount: count, linesZstd: compressLines(encoder.take()) }
}

const textsFrom = (buffer: LogBuffer): string[] => {
  const texts: string[] = []
  for (let chunk = buffer.next(); chunk !== undefined; chunk = buffer.next()) {
    texts.push(...fromBinary(LogLinesSchema, zstdDecompressSync(chunk.linesZstd)).lines.map(({ text }) => text))
  }
  return texts
}

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `line ${from + index}`)

describe('the log buffer', () => {
  test('sends again exactly from the line asked for, out of memory or out of its file', () => {
    using folder = temporaryFolder()
    for (const memory of [1_000_000, 100, 0]) {
      const path = join(folder.path, 'spill')
      using buffer = new LogBuffer(path, memory)
      for (let first = 0; first < 50; first += 10) buffer.append(chunkOf(first, 10))
      assert.equal(existsSync(path), memory < 1000)
      assert.deepEqual(textsFrom(buffer), numbered(0, 50))
      buffer.rewind(0)
      assert.deepEqual(textsFrom(buffer), numbered(0, 50))
      buffer.acknowledge(20)
      buffer.rewind(23)
      assert.deepEqual(textsFrom(buffer), numbered(23, 50))
      buffer.append(chunkOf(50, 5))
      assert.deepEqual(textsFrom(buffer), numbered(50, 55))
      buffer.acknowledge(55)
      assert.equal(buffer.unacknowledged, 0)
      assert.ok(!existsSync(path), 'the file goes when everything is acknowledged')
    }
  })

  test('makes the task wait when neither memory nor disk has room, and goes on after acknowledgements', () => {
    using folder = temporaryFolder()
    using buffer = new LogBuffer(join(folder.path, 'missing', 'spill'), 100)
    for (let first = 0; first < 50; first += 10) buffer.append(chunkOf(first, 10))
    assert.equal(buffer.full, true)
    assert.deepEqual(textsFrom(buffer), numbered(0, 50))
    buffer.acknowledge(50)
    assert.equal(buffer.full, false)
  })
})

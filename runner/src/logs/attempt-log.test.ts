import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { fromBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import fc from 'fast-check'
import { MaskedValues } from '../masking/masker.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { systemTime } from '../time/index.ts'
import { AttemptLog, type LogLimits } from './attempt-log.ts'
import { LogBuffer } from './log-buffer.ts'

interface Written {
  stream: string
  text: string
}

/** Writes it all and answers the lines that would be sent. */
const write = async (
  limits: LogLimits,
  pieces: readonly string[],
  values: readonly string[] = [],
): Promise<Written[]> => {
  using folder = temporaryFolder()
  using buffer = new LogBuffer(join(folder.path, 'spill'), 64 * 1024 * 1024)
  const masked = new MaskedValues(values)
  const log = new AttemptLog({
    time: systemTime,
    values: masked,
    buffer,
    limits,
    beforeBatch: () => undefined,
    appended: () => undefined,
    congested: () => undefined,
  })
  for (const piece of pieces) log.write('stdout', Buffer.from(piece))
  await new Promise<void>((resolve) => log.end(resolve))
  const lines: Written[] = []
  let next = 0
  for (let chunk = buffer.next(); chunk !== undefined; chunk = buffer.next()) {
    assert.equal(chunk.firstLine, next, 'numbers have no hole')
    next += chunk.lineCount
    const message = fromBinary(LogLinesSchema, zstdDecompressSync(chunk.linesZstd))
    lines.push(...message.lines.map(({ stream, text }) => ({ stream, text })))
  }
  assert.equal(log.lineCount, lines.length)
  return lines
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)
const textsOf = (lines: readonly Written[]) => lines.map(({ text }) => text)

test('a flood and what follows it stay in their order, to the last line, though other threads compress it', async () => {
  const flood = Array.from({ length: 40_000 }, (_, index) => `${index} ${'word '.repeat(index % 13)}`)
  const written = await write({ bytes: 1e9, lines: 1e6 }, [`${flood.join('\n')}\n`, 'one more\n', 'and the last'])
  assert.deepEqual(textsOf(written), [...flood, 'one more', 'and the last'])
})

describe('a log beyond its limit', () => {
  test('keeps its beginning and its end, and says between them what was left out', async () => {
    const all = numbered(5000)
    const written = await write({ bytes: 1e9, lines: 100 }, [`${all.join('\n')}\n`])
    assert.deepEqual(textsOf(written.slice(0, 100)), all.slice(0, 100))
    assert.match(written[100]?.text ?? '', /^The log limit of this task \(1000000000 bytes, 100 lines\) is reached/)
    assert.match(written[101]?.text ?? '', /^3900 lines \(\d+ bytes\) of output were left out here/)
    assert.deepEqual([written[100]?.stream, written[101]?.stream], ['system', 'system'])
    assert.deepEqual(textsOf(written.slice(102)), all.slice(-1000))
  })

  test('by so little that nothing is left out shows all of it', async () => {
    const all = numbered(300)
    const written = await write({ bytes: 1e9, lines: 100 }, [`${all.join('\n')}\n`])
    assert.deepEqual(textsOf(written.filter(({ stream }) => stream === 'stdout')), all)
    assert.equal(written.filter(({ stream }) => stream === 'system').length, 1)
  })

  test('holds no more than a megabyte of its end, also where a line has no end', async () => {
    const long = 'x'.repeat(60_000)
    const written = await write(
      { bytes: 1000, lines: 100 },
      Array.from({ length: 60 }, () => `${long}\n`),
    )
    const kept = written.filter(({ stream }) => stream === 'stdout')
    assert.equal(kept.length, Math.floor((1024 * 1024) / 60_000))
    const endless = await write(
      { bytes: 1000, lines: 100 },
      Array.from({ length: 60 }, () => long),
    )
    assert.ok(endless.every(({ text }) => text.length <= 64 * 1024))
    assert.equal(
      endless.filter(({ stream }) => stream === 'stdout').reduce((sum, { text }) => sum + text.length, 0) <=
        1024 * 1024,
      true,
    )
  })

  test('never shows a value, wherever the writes are cut', async () => {
    const secret = 'hunter2-hunter2'
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }), async (sizes) => {
        const text = `${numbered(40).join(` ${secret}\n`)}${secret}\n`
        const pieces: string[] = []
        let at = 0
        for (const size of sizes) pieces.push(text.slice(at, (at += size)))
        pieces.push(text.slice(at))
        const written = await write({ bytes: 100, lines: 5 }, pieces, [secret])
        assert.ok(!textsOf(written).join('\n').includes('hunter2'))
        assert.equal(written.at(-1)?.text, 'line 39***')
      }),
      { numRuns: 30 },
    )
  })
})

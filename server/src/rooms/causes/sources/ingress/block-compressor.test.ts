import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createZstdCompress, type ZstdCompress, zstdDecompressSync } from 'node:zlib'
import { createBlockCompressor } from './block-compressor.ts'

const SMALL = Buffer.from('a few payloads')
const LARGE = Buffer.from(
  Array.from({ length: 40_000 }, (_, line) => `${line} ${(line * 2_654_435_761) % 4_294_967_296}`).join('\n'),
)

describe('blocks of payloads', () => {
  test('are frames of their own, also when several are compressed at once', async () => {
    const compress = createBlockCompressor()
    const blocks = [LARGE, SMALL, LARGE.subarray(100_000), LARGE, Buffer.alloc(0)]
    const frames = await Promise.all(blocks.map(compress))
    for (const [at, frame] of frames.entries()) {
      assert.deepEqual(zstdDecompressSync(frame), blocks[at])
      assert.ok(frame.length <= Math.max(LARGE.length / 2, 100))
    }
  })

  test('of which one cannot be compressed do not fail those behind it', async () => {
    const opened: ZstdCompress[] = []
    const compress = createBlockCompressor((options) => {
      const stream = createZstdCompress(options)
      opened.push(stream)
      return stream
    })
    assert.deepEqual(zstdDecompressSync(await compress(LARGE)), LARGE)
    const broken = compress(LARGE)
    const behind = compress(LARGE)
    opened[0]?.destroy(new Error('as the test wants'))
    await assert.rejects(async () => broken)
    assert.deepEqual(zstdDecompressSync(await behind), LARGE)
    assert.equal(opened.length, 2)
  })
})

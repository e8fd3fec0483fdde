import { constants, createZstdCompress, type ZstdCompress, type ZstdOptions } from 'node:zlib'

export type CompressBlock = (block: Buffer) => Promise<Buffer>

/** Each write is a frame of its own; most groups fit into one piece of output, and each piece is a way to the other thread. */
const FRAMES: ZstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  flush: constants.ZSTD_e_end,
  chunkSize: 256 * 1024,
}

/**
 * Compresses blocks beside this thread, one by one, all of them in one stream. A stream for each would outlive its block:
 * V8 takes what has a part outside of its heap for alive until it collects everything, together with the block, so that it
 * collected everything every two seconds under load. The compressor's own set-up is spared too, most of the work for a few.
 */
export function createBlockCompressor(
  open: (options: ZstdOptions) => ZstdCompress = createZstdCompress,
): CompressBlock {
  let stream: ZstdCompress | undefined
  let last: Promise<unknown> = Promise.resolve()

  function inStream(block: Buffer): Promise<Buffer> {
    stream ??= open(FRAMES)
    return writeFrame(stream, block).catch((error: unknown) => {
      stream?.destroy()
      stream = undefined
      throw error
    })
  }

  return (block) => {
    const frame = last.then(() => inStream(block))
    // Who waits for the frame is told of its error; the next block has nothing to do with it.
    last = frame.catch(() => undefined)
    return frame
  }
}

function writeFrame(stream: ZstdCompress, block: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const onData = (part: Buffer): void => void parts.push(part)
    stream.on('data', onData)
    stream.once('error', reject)
    stream.write(block, (error) => {
      // Whoever listens for the error stays: it comes after this, and one that nobody hears would end the process.
      if (error) return reject(error)
      stream.off('data', onData)
      stream.off('error', reject)
      resolve(Buffer.concat(parts))
    })
  })
}

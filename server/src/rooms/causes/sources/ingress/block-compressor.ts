import { constants, createZstdCompress, type ZstdCompress, type ZstdOptions } from 'node:zlib'

export type CompressBlock = (block: Buffer) => Promise<Buffer>

/**
 * Each write is a frame of its own. Most groups fit into one piece of output, and each piece costs a trip to the other
 * thread.
 */
const FRAMES: ZstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  flush: constants.ZSTD_e_end,
  chunkSize: 256 * 1024,
}

/**
 * Compresses blocks beside this thread, one by one, all of them in one stream. A stream for each block would outlive
 * it. V8 keeps such a stream, which has memory outside the heap, and its block alive until a full collection. Under
 * load, V8 then ran a full collection every two seconds. The compressor's own set-up is spared too, most of the work
 * for a few.
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
    // The caller that waits for the frame gets its error; the next block has nothing to do with it.
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
      // The listener for the error stays: the error event comes after this callback, and an event without a listener
      // would end the process.
      if (error) return reject(error)
      stream.off('data', onData)
      stream.off('error', reject)
      resolve(Buffer.concat(parts))
    })
  })
}

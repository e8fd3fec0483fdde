import { Buffer } from 'node:buffer'

export type Channel = 'stdout' | 'stderr'

const HEADER_LENGTH = 8
const CHANNELS: readonly (Channel | undefined)[] = [undefined, 'stdout', 'stderr']

/**
 * Takes apart the output of a container without a terminal. A frame is one byte for the channel, three empty ones, four
 * for the length (big endian), then the bytes. Bytes are handed on as they come; reads may cut frames anywhere.
 */
export class Demultiplexer {
  readonly #take: (channel: Channel, bytes: Buffer) => void
  #header = Buffer.alloc(HEADER_LENGTH)
  #headerFilled = 0
  #channel: Channel | undefined
  #remaining = 0

  constructor(take: (channel: Channel, bytes: Buffer) => void) {
    this.#take = take
  }

  push(bytes: Buffer): void {
    let offset = 0
    while (offset < bytes.length) {
      if (this.#remaining === 0) {
        const length = Math.min(HEADER_LENGTH - this.#headerFilled, bytes.length - offset)
        bytes.copy(this.#header, this.#headerFilled, offset, offset + length)
        this.#headerFilled += length
        offset += length
        if (this.#headerFilled < HEADER_LENGTH) return
        this.#headerFilled = 0
        this.#channel = CHANNELS[this.#header[0] ?? 0]
        this.#remaining = this.#header.readUInt32BE(4)
      } else {
        const part = bytes.subarray(offset, offset + this.#remaining)
        offset += part.length
        this.#remaining -= part.length
        if (this.#channel !== undefined) this.#take(this.#channel, part)
      }
    }
  }
}

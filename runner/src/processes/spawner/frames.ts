import { Buffer } from 'node:buffer'

/**
 * What the runner tells the spawner: a command to start (JSON), whether its output is to be left unread, or a command
 * for after the runner's death (JSON, or nothing).
 */
export const toSpawner = { start: 1, hold: 2, release: 3, lastWill: 4 } as const

/** What the spawner tells the runner: pid and time (12 bytes), output as it came, the end (JSON). */
export const toRunner = { started: 1, stdout: 2, stderr: 3, ended: 4 } as const

export type Frame = { kind: number; id: number; body: Buffer }

// Length of the body, kind, number of the process.
const headerBytes = 9
const empty = Buffer.alloc(0)

/** A frame's header, to be written before its body. */
export const frameHeader = (kind: number, id: number, bodyLength: number): Buffer => {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt32LE(bodyLength, 0)
  header.writeUInt8(kind, 4)
  header.writeUInt32LE(id, 5)
  return header
}

/** A whole frame in one buffer; for bodies that are small or made for it. */
export const frame = (kind: number, id: number, body: Buffer = empty): Buffer =>
  Buffer.concat([frameHeader(kind, id, body.length), body])

/** Cuts what a pipe delivers into frames. A body is a view of what came in, copied only where a read cut it. */
export class FrameReader {
  readonly #take: (frame: Frame) => void
  #parts: Buffer[] = []
  #length = 0
  #needed = headerBytes

  constructor(take: (frame: Frame) => void) {
    this.#take = take
  }

  push(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#length += bytes.length
    if (this.#length < this.#needed) return
    const whole = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts)
    let at = 0
    for (;;) {
      this.#needed = headerBytes
      if (whole.length - at < headerBytes) break
      this.#needed += whole.readUInt32LE(at)
      if (whole.length - at < this.#needed) break
      const body = whole.subarray(at + headerBytes, at + this.#needed)
      at += this.#needed
      this.#take({ kind: whole.readUInt8(at - body.length - 5), id: whole.readUInt32LE(at - body.length - 4), body })
    }
    this.#parts = at === whole.length ? [] : [whole.subarray(at)]
    this.#length = whole.length - at
  }
}

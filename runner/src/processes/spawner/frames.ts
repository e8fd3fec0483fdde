import { Buffer } from 'node:buffer'

/**
 * Frames from the runner to the spawner: a command to start (JSON), or a pause or resumption of its output. The last
 * will is a command for after the runner's death (JSON, or nothing).
 */
export const TO_SPAWNER = { start: 1, pause: 2, resume: 3, lastWill: 4 } as const

/** Frames from the spawner to the runner: pid and time (12 bytes), output as it came, the end (JSON). */
export const TO_RUNNER = { started: 1, stdout: 2, stderr: 3, ended: 4 } as const

export interface Frame {
  kind: number
  id: number
  body: Buffer
}

// Length of the body, kind, number of the process.
const HEADER_BYTES = 9
const EMPTY = Buffer.alloc(0)

/** A frame's header, to be written before its body. */
export function frameHeader(kind: number, id: number, bodyLength: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(bodyLength, 0)
  header.writeUInt8(kind, 4)
  header.writeUInt32LE(id, 5)
  return header
}

/** A whole frame in one buffer; for bodies that are small or made for it. */
export function frame(kind: number, id: number, body: Buffer = EMPTY): Buffer {
  return Buffer.concat([frameHeader(kind, id, body.length), body])
}

/**
 * Cuts what a pipe delivers into frames. A body is a view of the bytes that came in, copied only where a read cut it. A
 * body of a kind in `inPieces` is not put together again, but handed on as several frames.
 */
export class FrameReader {
  readonly #take: (frame: Frame) => void
  readonly #inPieces: ReadonlySet<number>
  #parts: Buffer[] = []
  #length = 0
  #needed = HEADER_BYTES
  /** A body of which a piece is still to come. */
  #open: { readonly kind: number; readonly id: number; missing: number } | undefined

  constructor(take: (frame: Frame) => void, inPieces: ReadonlySet<number> = new Set()) {
    this.#take = take
    this.#inPieces = inPieces
  }

  push(bytes: Buffer): void {
    const fresh = this.#open === undefined ? bytes : this.#goOn(bytes)
    if (fresh.length === 0) return
    this.#parts.push(fresh)
    this.#length += fresh.length
    if (this.#length < this.#needed) return
    const whole = this.#parts.length === 1 ? fresh : Buffer.concat(this.#parts)
    let at = 0
    for (;;) {
      this.#needed = HEADER_BYTES
      if (whole.length - at < HEADER_BYTES) break
      const length = whole.readUInt32LE(at)
      const kind = whole.readUInt8(at + 4)
      const id = whole.readUInt32LE(at + 5)
      const end = at + HEADER_BYTES + length
      if (end > whole.length && !this.#inPieces.has(kind)) {
        this.#needed += length
        break
      }
      const body = whole.subarray(at + HEADER_BYTES, end)
      at += HEADER_BYTES + body.length
      if (body.length < length) this.#open = { kind, id, missing: length - body.length }
      if (body.length > 0 || length === 0) this.#take({ kind, id, body })
    }
    this.#parts = at === whole.length ? [] : [whole.subarray(at)]
    this.#length = whole.length - at
  }

  /** Hands on the bytes of the open body, and answers the rest. */
  #goOn(bytes: Buffer): Buffer {
    const open = this.#open
    if (open === undefined) return bytes
    const body = bytes.subarray(0, open.missing)
    open.missing -= body.length
    if (open.missing === 0) this.#open = undefined
    this.#take({ kind: open.kind, id: open.id, body })
    return bytes.subarray(body.length)
  }
}

/** Where the lines of a serialised `LogLines` message (runner.proto) lie in its bytes. */
export interface LineIndex {
  readonly count: number
  /** Start and end of the n-th line's own message at 2n and 2n + 1. */
  readonly bodies: Int32Array
  /** Start and end of the n-th line's text, likewise. */
  readonly texts: Int32Array
  /** 1 where the line was cut and goes on in the next one of its stream. */
  readonly continued: Uint8Array
}

/** A line without its text. `atMs` is Unix milliseconds, 0 where the runner said nothing that is a time. */
export interface LineHead {
  readonly atMs: number
  readonly stream: string
  readonly continued: boolean
}

/** One line as its runner sent it. */
export interface StoredLine extends LineHead {
  readonly text: string
}

const LAST_DATE_MS = 8_640_000_000_000_000

/**
 * Finds the lines without decoding them: a search looks at a million of them and shows ten. Undefined where the bytes
 * are no such message, or hold another number of lines.
 */
export function indexLines(bytes: Uint8Array, count: number): LineIndex | undefined {
  // A line takes two bytes at least: no count can ask for more memory than the bytes themselves did.
  if (count * 2 > bytes.length) return undefined
  const bodies = new Int32Array(count * 2)
  const texts = new Int32Array(count * 2)
  const continued = new Uint8Array(count)
  const reader = new Reader(bytes)
  let found = 0
  while (reader.at < bytes.length) {
    const tag = reader.varint()
    if (tag !== 0x0a) {
      if (!reader.skip(tag & 7)) return undefined
      continue
    }
    const length = reader.varint()
    const start = reader.at
    const end = start + length
    if (found === count || end > bytes.length || Number.isNaN(length)) return undefined
    bodies[found * 2] = start
    bodies[found * 2 + 1] = end
    texts[found * 2] = end
    texts[found * 2 + 1] = end
    while (reader.at < end) {
      const field = reader.varint()
      if (field === 0x1a) {
        const size = reader.varint()
        texts[found * 2] = reader.at
        texts[found * 2 + 1] = reader.at + size
        reader.at += size
      } else if (field === 0x20) continued[found] = reader.varint() === 1 ? 1 : 0
      else if (!reader.skip(field & 7)) return undefined
    }
    if (reader.at !== end) return undefined
    found += 1
  }
  return found === count && reader.at === bytes.length ? { count, bodies, texts, continued } : undefined
}

/** Decodes the n-th line. */
export function readLine(bytes: Buffer, index: LineIndex, n: number): StoredLine {
  return { ...readHead(bytes, index, n), text: readText(bytes, index, n) }
}

export function readText(bytes: Buffer, index: LineIndex, n: number): string {
  return bytes.toString('utf8', index.texts[n * 2], index.texts[n * 2 + 1])
}

export function readHead(bytes: Buffer, index: LineIndex, n: number): LineHead {
  const reader = new Reader(bytes)
  reader.at = index.bodies[n * 2] ?? 0
  const end = index.bodies[n * 2 + 1] ?? 0
  let atMs = 0
  let stream = ''
  while (reader.at < end) {
    const field = reader.varint()
    if (field === 0x08) atMs = reader.varint()
    else if (field === 0x12) {
      const size = reader.varint()
      stream = streamAt(bytes, reader.at, size)
      reader.at += size
    } else if (!reader.skip(field & 7)) break
  }
  return {
    atMs: atMs >= 0 && atMs <= LAST_DATE_MS ? atMs : 0,
    stream,
    continued: index.continued[n] === 1,
  }
}

/** The usual ones without making a string for each line. */
function streamAt(bytes: Buffer, start: number, size: number): string {
  if (size === 6 && bytes[start] === 0x73) {
    const third = bytes[start + 3]
    if (third === 0x6f) return 'stdout'
    if (third === 0x65) return 'stderr'
  }
  return bytes.toString('utf8', start, start + size)
}

class Reader {
  at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** NaN beyond the end; numbers beyond 2^53 are not exact, and no line of ours holds one. */
  varint(): number {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = this.#bytes[this.at++]
      if (byte === undefined) return Number.NaN
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
  }

  /** Passes over the value of a field; false for a kind that protobuf no longer has. */
  skip(wireType: number): boolean {
    if (wireType === 0) this.varint()
    else if (wireType === 1) this.at += 8
    else if (wireType === 2) {
      const size = this.varint()
      this.at += size
    } else if (wireType === 5) this.at += 4
    else return false
    return !Number.isNaN(this.at)
  }
}

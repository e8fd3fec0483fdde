import { Buffer, isUtf8 } from 'node:buffer'

/** A longer line is cut into several, all but the last of which say that they go on. */
export const LONGEST_LINE = 64 * 1024

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const REPLACEMENT = Buffer.from('\u{fffd}')
const EMPTY = Buffer.alloc(0)

export type TakeLine = (bytes: Buffer, start: number, end: number, goesOn: boolean) => void

// A byte 10xxxxxx continues a UTF-8 sequence: a cut before it would tear a character apart.
function characterBorder(bytes: Buffer, start: number, end: number): number {
  let border = end
  while (border > start && border > end - 4 && ((bytes[border] ?? 0) & 0xc0) === 0x80) border--
  return border === start ? end : border
}

/** Text that PostgreSQL and JSON can hold: invalid UTF-8 and NUL become U+FFFD. */
function storable(bytes: Buffer): Buffer {
  const valid = isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'))
  if (!valid.includes(0)) return valid
  const parts: Buffer[] = []
  let from = 0
  for (let nul = valid.indexOf(0); nul >= 0; nul = valid.indexOf(0, from)) {
    parts.push(valid.subarray(from, nul), REPLACEMENT)
    from = nul + 1
  }
  return Buffer.concat([...parts, valid.subarray(from)])
}

/**
 * Cuts one stream into lines at `\n`. A `\r` before it belongs to the line end; other `\r` (progress bars) stay. The
 * bytes after the last `\n` wait for more, up to the length of one line.
 */
export class LineSplitter {
  #rest: Buffer = EMPTY

  push(bytes: Buffer, take: TakeLine): void {
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      // Only the line that was begun is put together; all others are taken where they lie.
      const begun = this.#rest.length === 0 ? 0 : bytes.indexOf(NEWLINE) + 1
      if (begun > 0) this.#takeComplete(storable(Buffer.concat([this.#rest, bytes.subarray(0, begun)])), take)
      if (end > begun) this.#takeComplete(storable(bytes.subarray(begun, end)), take)
      this.#rest = EMPTY
    }
    const tail = bytes.subarray(end)
    const open = this.#rest.length === 0 ? tail : Buffer.concat([this.#rest, tail])
    // A copy: the rest may wait for long, and must not hold a whole read buffer.
    this.#rest = Buffer.from(this.#takeLong(open, take))
  }

  /** Takes a last line without `\n`. */
  end(take: TakeLine): void {
    const rest = storable(this.#rest)
    this.#rest = EMPTY
    if (rest.length > 0) this.#takeLine(rest, 0, rest.length, false, take)
  }

  #takeComplete(bytes: Buffer, take: TakeLine): void {
    let start = 0
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      this.#takeLine(bytes, start, at > start && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at, false, take)
      start = at + 1
    }
  }

  // oxlint-disable-next-line max-params -- called for each line, where an object would cost more than it explains
  #takeLine(bytes: Buffer, start: number, end: number, goesOn: boolean, take: TakeLine): void {
    let from = start
    while (end - from > LONGEST_LINE) {
      const border = characterBorder(bytes, from, from + LONGEST_LINE)
      take(bytes, from, border, true)
      from = border
    }
    take(bytes, from, end, goesOn)
  }

  #takeLong(bytes: Buffer, take: TakeLine): Buffer {
    let rest = bytes
    while (rest.length > LONGEST_LINE) {
      const border = characterBorder(rest, 0, LONGEST_LINE)
      const piece = storable(rest.subarray(0, border))
      this.#takeLine(piece, 0, piece.length, true, take)
      rest = rest.subarray(border)
    }
    return rest
  }
}

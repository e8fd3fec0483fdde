import { type BrokenPatterns, BrokenSearch } from './broken-search.ts'
import { endOfLine, LONGEST_ROW, mayBeDumpRow, readDumpRow } from './dump-row.ts'
import type { Search } from './search.ts'

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

type Found = (start: number, end: number) => void

/**
 * Finds bytes that are written as digits in the rows of a dump. Offsets and text stand between the digits of one row
 * and the next. A find in a row reaches to the row's end, the text included. Other lines are not searched.
 */
export class RowSearch implements Search {
  readonly #search: BrokenSearch
  #isLineStart = true
  // The last bytes of the stream, which may be the beginning of a row.
  #unread = 0

  constructor(patterns: BrokenPatterns) {
    this.#search = new BrokenSearch(patterns)
  }

  scan(bytes: Uint8Array, from: number, found: Found): number {
    let at = from - this.#unread
    this.#unread = 0
    while (at < bytes.length) {
      const end = endOfLine(bytes, at)
      if (end < 0) {
        const isShort = bytes.length - at <= LONGEST_ROW
        if (this.#isLineStart && isShort && mayBeDumpRow(bytes, at, bytes.length)) this.#unread = bytes.length - at
        else this.#passOver(bytes, at, bytes.length)
        break
      }
      if (!(this.#isLineStart && this.#readRow(bytes, at, end, found))) this.#passOver(bytes, at, end + 1)
      this.#isLineStart = true
      at = end + 1
    }
    return Math.min(this.#search.kept() + this.#unread, bytes.length)
  }

  end(bytes: Uint8Array, found: Found): void {
    const start = bytes.length - this.#unread
    this.#unread = 0
    if (start < bytes.length) this.#readRow(bytes, start, bytes.length, found)
  }

  #passOver(bytes: Uint8Array, from: number, end: number): void {
    this.#search.forget()
    this.#search.leaveOut(end - from, true)
    this.#isLineStart = bytes[end - 1] === NEWLINE
  }

  /** Searches the line from `start` to `end`; false where it is no row. */
  #readRow(bytes: Uint8Array, start: number, end: number, found: Found): boolean {
    const lineEnd = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end
    const row = mayBeDumpRow(bytes, start, lineEnd) ? readDumpRow(bytes, start, lineEnd) : undefined
    if (row === undefined) return false
    this.#search.leaveOut(row.start - start, false)
    this.#search.scan(bytes.subarray(0, row.end), row.start, (from) => found(from, lineEnd))
    this.#search.leaveOut(Math.min(end + 1, bytes.length) - row.end, end < bytes.length)
    return true
  }
}

import type { Search } from './search.ts'
import { Trie } from './trie.ts'

/** The treatment of bytes between those of a pattern. */
interface Breaks {
  /** The byte that stands for `byte` in patterns: letters of another case, characters of another alphabet. */
  readonly fold: (byte: number) => number
  /** Whether `byte` may stand between two bytes of a pattern. */
  readonly isBreak: (byte: number) => boolean
  /** Whether it may do so only behind a break: the indentation of a line. */
  readonly isIndent: (byte: number) => boolean
  /** The largest number of such bytes in a row. */
  readonly most: number
  /** A beginning that is shorter is not kept back at the end of a line: nearly every line would wait for the next one. */
  readonly shortestKept: number
}

const NEWLINE = 0x0a
const WALL = 0
const INSIDE = 1
const BEGINS = 2
const IS_BREAK_FLAG = 1
const IS_INDENT_FLAG = 2
const WIDEST = 128

/** The rules of breaks as tables: made once, for every attempt builds its patterns on them. */
export class BreakTable {
  readonly fold = new Uint8Array(256)
  readonly kinds = new Uint8Array(256)
  readonly pairs = new Uint8Array(65536)
  readonly most: number
  readonly shortestKept: number

  constructor(breaks: Breaks) {
    this.most = breaks.most
    this.shortestKept = breaks.shortestKept
    for (let byte = 0; byte < 256; byte++) {
      this.fold[byte] = breaks.fold(byte)
      this.kinds[byte] = (breaks.isBreak(byte) ? IS_BREAK_FLAG : 0) | (breaks.isIndent(byte) ? IS_INDENT_FLAG : 0)
    }
    // A pair with a break in it says nothing, but for the indentation that follows no break.
    const behindText = this.kinds.map((kind) => (kind === 0 || kind === IS_INDENT_FLAG ? 0 : INSIDE))
    for (let first = 0; first < 256; first++) {
      if (this.kinds[first] === 0) this.pairs.set(behindText, first << 8)
      else this.pairs.fill(INSIDE, first << 8, (first + 1) << 8)
    }
  }
}

/** The patterns of a search over breaks; made once and shared by the searches of several streams. */
export class BrokenPatterns {
  readonly trie: Trie
  readonly table: BreakTable
  readonly #window: number
  /** Of each pair of folded bytes: whether it can stand in the first window of an occurrence, and whether it can begin one. */
  readonly #pairs: Uint8Array

  /** Patterns hold folded bytes and no breaks; each is at least 2 bytes long. */
  constructor(patterns: readonly Uint8Array[], table: BreakTable) {
    this.trie = new Trie(patterns)
    this.table = table
    this.#window = patterns.reduce((shortest, { length }) => Math.min(shortest, length), WIDEST)
    this.#pairs = table.pairs.slice()
    for (const pattern of patterns) this.#markPattern(pattern)
  }

  #markPattern(pattern: Uint8Array): void {
    for (let at = 1; at < Math.min(pattern.length, this.#window); at++) {
      const pair = ((pattern[at - 1] ?? 0) << 8) | (pattern[at] ?? 0)
      this.#pairs[pair] = (this.#pairs[pair] ?? 0) | INSIDE
    }
    const first = pattern[0] ?? 0
    const behind = ((pattern[0] ?? 0) << 8) | (pattern[1] ?? 0)
    this.#pairs[behind] = (this.#pairs[behind] ?? 0) | BEGINS
    for (let byte = 0; byte < 256; byte++) {
      const pair = (first << 8) | byte
      if (((this.table.kinds[byte] ?? 0) & IS_BREAK_FLAG) !== 0) this.#pairs[pair] = (this.#pairs[pair] ?? 0) | BEGINS
    }
  }

  /**
   * The first place from `from` on where a pattern may begin, if only with the last byte. A window as long as the shortest
   * pattern is read from its end. No occurrence, however it is broken, reaches over a pair that is in no pattern.
   */
  next(bytes: Uint8Array, from: number): number {
    const pairs = this.#pairs
    const { fold } = this.table
    const ahead = this.#window - 1
    const last = bytes.length - 1
    let at = from
    // Up to here all pairs from `at` on are inside.
    let known = from
    while (at < last) {
      const end = Math.min(at + ahead, last)
      let pair = end
      while (pair > Math.max(known, at)) {
        if (pairs[((fold[bytes[pair - 1] ?? 0] ?? 0) << 8) | (fold[bytes[pair] ?? 0] ?? 0)] === WALL) break
        pair--
      }
      if (pair > Math.max(known, at)) {
        at = pair
        known = pair
        continue
      }
      known = end
      if (((pairs[((fold[bytes[at] ?? 0] ?? 0) << 8) | (fold[bytes[at + 1] ?? 0] ?? 0)] ?? 0) & BEGINS) !== 0) return at
      at++
    }
    return Math.max(at, from)
  }
}

/** Bytes that were passed over, `length` of them from `at` on; counted from the beginning of the stream. */
interface Gap {
  at: number
  length: number
}

/** Finds the patterns wherever line breaks, or other bytes that may stand between theirs, cut them. */
export class BrokenSearch implements Search {
  readonly #patterns: BrokenPatterns
  #state = 0
  #gaps: Gap[] = []
  // Breaks since the last byte of a pattern.
  #run = 0
  // Bytes of the stream before the next piece, and whether a line break is the last of them.
  #read = 0
  #isLineEnd = false

  constructor(patterns: BrokenPatterns) {
    this.#patterns = patterns
  }

  scan(bytes: Uint8Array, from: number, found: (start: number, end: number) => void): number {
    const { trie, table } = this.#patterns
    const { kinds, fold, most } = table
    const base = this.#read - from
    let at = from
    while (at < bytes.length) {
      if (this.#state === 0) at = this.#patterns.next(bytes, at)
      const byte = bytes[at] ?? 0
      const kind = kinds[byte] ?? 0
      if (this.#state !== 0 && kind !== 0 && this.#run < most && (kind === IS_BREAK_FLAG || this.#run > 0)) {
        this.#passOver(base + at)
        at++
        continue
      }
      this.#run = 0
      this.#state = trie.next(this.#state, fold[byte] ?? 0)
      at++
      if (this.#state === 0) this.#gaps.length = 0
      const length = trie.ending(this.#state)
      if (length > 0) found(this.#startOf(base + at, length) - base, at)
    }
    this.#read = base + at
    if (at > from) this.#isLineEnd = bytes[at - 1] === NEWLINE
    return Math.min(this.kept(), bytes.length)
  }

  /** Passes over bytes that are no part of what is searched; `isLineEnd`: up to the end of a line. */
  leaveOut(length: number, isLineEnd: boolean): void {
    this.#isLineEnd = isLineEnd
    if (this.#state !== 0 && length > 0) this.#gaps.push({ at: this.#read, length })
    this.#read += length
    this.#run = 0
  }

  /** Drops the bytes read so far: no match begins in them. */
  forget(): void {
    this.#state = 0
    this.#gaps.length = 0
    this.#run = 0
  }

  /** How many of the last bytes may be the beginning of an occurrence; some may have been given away already. */
  kept(): number {
    const { trie, table } = this.#patterns
    this.#state = trie.settle(this.#state)
    const depth = trie.depth(this.#state)
    if (depth === 0) this.#gaps.length = 0
    if (depth === 0 || (this.#isLineEnd && depth < table.shortestKept)) return 0
    const start = this.#startOf(this.#read, depth)
    this.#dropBefore(start)
    return this.#read - start
  }

  #passOver(at: number): void {
    const last = this.#gaps.at(-1)
    if (last && last.at + last.length === at) last.length += 1
    else this.#gaps.push({ at, length: 1 })
    this.#run += 1
  }

  /** Where the last `length` bytes of patterns before `end` begin. */
  #startOf(end: number, length: number): number {
    let [at, rest] = [end, length]
    for (let n = this.#gaps.length - 1; n >= 0; n--) {
      const gap = this.#gaps[n]
      if (!gap || at - (gap.at + gap.length) >= rest) break
      rest -= at - (gap.at + gap.length)
      at = gap.at
    }
    return at - rest
  }

  #dropBefore(start: number): void {
    const first = this.#gaps.findIndex((gap) => gap.at >= start)
    if (first > 0) this.#gaps.splice(0, first)
    else if (first < 0) this.#gaps.length = 0
  }
}

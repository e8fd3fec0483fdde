import type { Search } from './search.ts'
import { Trie } from './trie.ts'

// One byte of the table of pairs holds both: whether a pattern begins with this pair, and how far a window that ends
// with it may move.
const BEGINS = 0x80
const FARTHEST = 0x7f

/**
 * Passes over text in which no pattern begins, looking at few of its bytes (Wu and Manber). A window is as long as the
 * shortest pattern. The last two bytes of the window say how far it may move on, whichever pattern they are part of.
 */
class Skipper {
  readonly #window: number
  readonly #pairs: Uint8Array

  constructor(patterns: readonly Uint8Array[]) {
    const window = patterns.reduce((shortest, { length }) => Math.min(shortest, length), FARTHEST + 1)
    this.#window = window
    this.#pairs = new Uint8Array(65536).fill(window - 1)
    for (const pattern of patterns) {
      for (let at = 1; at < window; at++) {
        const pair = ((pattern[at - 1] ?? 0) << 8) | (pattern[at] ?? 0)
        const known = this.#pairs[pair] ?? 0
        this.#pairs[pair] = (known & BEGINS) | Math.min(known & FARTHEST, window - 1 - at)
      }
    }
    for (const pattern of patterns) {
      const pair = ((pattern[0] ?? 0) << 8) | (pattern[1] ?? 0)
      this.#pairs[pair] = (this.#pairs[pair] ?? 0) | BEGINS
    }
  }

  /** The first place from `from` on where a pattern may begin, if only with the last byte. */
  next(bytes: Uint8Array, from: number): number {
    const pairs = this.#pairs
    const ahead = this.#window - 1
    const last = bytes.length - 1
    let at = from
    while (at + ahead <= last) {
      const moved = (pairs[((bytes[at + ahead - 1] ?? 0) << 8) | (bytes[at + ahead] ?? 0)] ?? 0) & FARTHEST
      if (moved > 0) at += moved
      else if (((pairs[((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)] ?? 0) & BEGINS) !== 0) return at
      else at++
    }
    while (at < last && ((pairs[((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)] ?? 0) & BEGINS) === 0) at++
    return at
  }
}

/** The patterns of an exact search; made once and shared by the searches of several streams. */
export class ExactPatterns {
  readonly trie: Trie
  readonly skipper: Skipper

  /** Every pattern must be at least 2 bytes long. */
  constructor(patterns: readonly Uint8Array[]) {
    this.trie = new Trie(patterns)
    this.skipper = new Skipper(patterns)
  }
}

/** Finds the patterns as they stand. */
export class ExactSearch implements Search {
  readonly #patterns: ExactPatterns
  #state = 0

  constructor(patterns: ExactPatterns) {
    this.#patterns = patterns
  }

  scan(bytes: Uint8Array, from: number, found: (start: number, end: number) => void): number {
    const { trie, skipper } = this.#patterns
    let state = this.#state
    let at = from
    while (at < bytes.length) {
      // Most of a log.
      if (state === 0) at = skipper.next(bytes, at)
      state = trie.next(state, bytes[at] ?? 0)
      at++
      const length = trie.ending(state)
      if (length > 0) found(at - length, at)
    }
    this.#state = trie.settle(state)
    return trie.depth(this.#state)
  }
}

import { BreakTable, BrokenPatterns, BrokenSearch } from './broken-search.ts'
import { isHexDigit } from './dump-row.ts'
import { ExactPatterns, ExactSearch } from './exact-search.ts'
import { collectForms } from './forms.ts'
import { RowSearch } from './row-search.ts'
import type { Search } from './search.ts'

function codes(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (letter) => letter.charCodeAt(0)))
}

const LINE_BREAKS = codes('\r\n')
const INDENTS = codes(' \t')
// The characters that programs write between bytes: `61:62`, `\x61\x62`, `%61%62`, `0x61, 0x62`, `&#x61;&#x62;`, `<61
// 62>`.
const BETWEEN_DIGITS = codes(' \t\r\n:-,;.%\\xXuU&#|_"\'')

const BASE64_BREAKS = new BreakTable({
  // The alphabet of URLs is read as the other one.
  fold: (byte) => (byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte),
  isBreak: (byte) => LINE_BREAKS.has(byte),
  isIndent: (byte) => INDENTS.has(byte),
  most: 16,
  shortestKept: 4,
})

const DIGIT_BREAKS = new BreakTable({
  fold: (byte) => (isHexDigit(byte) ? byte | 0x20 : byte),
  isBreak: (byte) => BETWEEN_DIGITS.has(byte),
  isIndent: () => false,
  most: 8,
  shortestKept: 8,
})

/** The wanted bytes: every form of some values. Made once, and shared by the finders of several streams. */
export class Patterns {
  readonly #exact: ExactPatterns | undefined
  readonly #base64: BrokenPatterns | undefined
  readonly #digits: BrokenPatterns | undefined
  /** How many values are so long that only their most usual forms are looked for. */
  readonly shortened: number

  constructor(values: Iterable<string>) {
    const { texts, base64, digits, shortened } = collectForms(values)
    const encoder = new TextEncoder()
    const encode = (forms: ReadonlySet<string>) => [...forms].map((form) => encoder.encode(form))
    if (texts.size > 0) this.#exact = new ExactPatterns(encode(texts))
    if (base64.size > 0) this.#base64 = new BrokenPatterns(encode(base64), BASE64_BREAKS)
    if (digits.size > 0) this.#digits = new BrokenPatterns(encode(digits), DIGIT_BREAKS)
    this.shortened = shortened
  }

  get isEmpty(): boolean {
    return this.#exact === undefined
  }

  searches(): Search[] {
    return [
      ...(this.#exact ? [new ExactSearch(this.#exact)] : []),
      ...(this.#base64 ? [new BrokenSearch(this.#base64)] : []),
      ...(this.#digits ? [new BrokenSearch(this.#digits), new RowSearch(this.#digits)] : []),
    ]
  }
}

/** Finds every form of some values in one stream of bytes. */
export class Finder implements Search {
  readonly #searches: readonly Search[]

  constructor(patterns: Patterns) {
    this.#searches = patterns.searches()
  }

  scan(bytes: Uint8Array, from: number, found: (start: number, end: number) => void): number {
    let kept = 0
    for (const search of this.#searches) kept = Math.max(kept, search.scan(bytes, from, found))
    return kept
  }

  end(bytes: Uint8Array, found: (start: number, end: number) => void): void {
    for (const search of this.#searches) search.end?.(bytes, found)
  }
}

import type { RE2JS } from '@bufbuild/re2'
import { matchBounded } from './bounded-match.ts'
import type { LineIndex } from './line-index.ts'
import { bitsWanted } from './trigrams.ts'

/** The lines that a search wants. `bits`: trigrams that every row with such a line has. */
export type Wanted = { readonly bits: readonly number[] } & (
  | { readonly kind: 'text'; readonly bytes: Buffer; readonly pattern: RegExp | undefined }
  /** `literal`: a text that every match holds, so that most lines need not be looked at by the expression. */
  | { readonly kind: 'regex'; readonly expression: RE2JS; readonly literal: Buffer | undefined }
)

const LINES_PER_BREATH = 64
const LONG_LINE = 4096
/** For one line; nothing else of the process goes on meanwhile. Usual expressions take a few ms for a line of 64 KiB. */
const LINE_MS = 250

/** A search for this text; unless `caseSensitive`, in any case. */
export function wantText(text: string, caseSensitive: boolean): Wanted {
  const pattern = caseSensitive ? undefined : anyCase(text)
  const bytes = Buffer.from(text)
  return { kind: 'text', bytes, pattern, bits: bitsWanted(bytes, !caseSensitive) }
}

export function wantMatch(expression: RE2JS, literal: string | undefined): Wanted {
  const bytes = literal === undefined ? undefined : Buffer.from(literal)
  return { kind: 'regex', expression, literal: bytes, bits: bytes ? bitsWanted(bytes, false) : [] }
}

/**
 * A line that was looked at: is it one? Undefined: that takes too long. The others are told now and then only, so that a long
 * search can be left.
 */
export interface Looked {
  readonly line: number
  readonly isWanted: boolean | undefined
}

export interface Searched {
  readonly bytes: Buffer
  /** Asked for only where the bytes hold something of what is wanted. */
  readonly index: LineIndex | undefined
}

/** From the line `first` to the one before `end`. */
export interface SearchRange {
  readonly first: number
  readonly end: number
  readonly backward: boolean
}

/** Looks at the lines of the range in order, or from the last to the first; `monotonic` tells the time in ms. */
export function* findLines(
  lines: Searched,
  wanted: Wanted,
  { first, end, backward }: SearchRange,
  monotonic: () => number,
): Generator<Looked> {
  const within = (line: number): boolean => line >= first && line < end
  if (wanted.kind === 'text') {
    const found = candidates(lines, wanted.bytes, wanted.pattern).filter(within)
    for (const line of backward ? found.toReversed() : found) yield { line, isWanted: true }
    return
  }
  const { expression, literal } = wanted
  const among = literal ? candidates(lines, literal, undefined).filter(within) : undefined
  if (among?.length === 0) return
  const { bytes, index } = lines
  if (!index) return
  const count = among?.length ?? end - first
  for (let looked = 0; looked < count; looked++) {
    const at = backward ? count - 1 - looked : looked
    const line = among ? (among[at] ?? 0) : first + at
    const from = index.texts[line * 2] ?? 0
    const to = index.texts[line * 2 + 1] ?? 0
    const until = monotonic() + LINE_MS
    const isWanted = matchBounded(expression, bytes.toString('utf8', from, to), () => monotonic() > until)
    if (isWanted !== false || looked % LINES_PER_BREATH === 0 || to - from > LONG_LINE) yield { line, isWanted }
  }
}

/** Searches all bytes at once: what is found outside of a text (in the name of a stream) is passed over. */
function candidates(lines: Searched, text: Buffer, pattern: RegExp | undefined): number[] {
  const { bytes } = lines
  const found: number[] = []
  const next = pattern ? nextByPattern(bytes, pattern) : nextByBytes(bytes, text)
  let line = 0
  let from = 0
  for (;;) {
    const hit = next(from)
    if (hit === undefined) return found
    const { index } = lines
    if (!index) return found
    while (line < index.count && (index.bodies[line * 2 + 1] ?? 0) <= hit.start) line += 1
    if (line === index.count) return found
    const end = index.texts[line * 2 + 1] ?? 0
    if (hit.start >= (index.texts[line * 2] ?? 0) && hit.end <= end) {
      found.push(line)
      from = end
    } else from = hit.start + 1
  }
}

type Next = (from: number) => { readonly start: number; readonly end: number } | undefined

function nextByBytes(bytes: Buffer, text: Buffer): Next {
  return (from) => {
    const start = bytes.indexOf(text, from)
    return start < 0 ? undefined : { start, end: start + text.length }
  }
}

function nextByPattern(bytes: Buffer, pattern: RegExp): Next {
  // One character for each byte: what is found lies where it is found.
  const all = bytes.toString('latin1')
  return (from) => {
    pattern.lastIndex = from
    const match = pattern.exec(all)
    return match ? { start: match.index, end: match.index + match[0].length } : undefined
  }
}

/** The bytes of a text in either case, as a pattern over bytes: alternatives only, so it never looks twice. */
function anyCase(text: string): RegExp {
  const parts = Array.from(text, (character) => {
    const forms = [...new Set([character, character.toLowerCase(), character.toUpperCase()])]
    const [only] = forms
    if (forms.length === 1 && only !== undefined) return quoted(only)
    return `(?:${forms.map(quoted).join('|')})`
  })
  return new RegExp(parts.join(''), 'g')
}

function quoted(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}

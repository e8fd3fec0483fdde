import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import { isScalar, Schema } from 'yaml'
import type { DocumentLimits } from './limits.ts'
import { Lines } from './lines.ts'
import type { Position } from './problem.ts'
import type { SourceEntry, SourceNode, SourceScalar } from './source-tree.ts'

/** Windows' ends of lines, tabs, marks of the byte order, an indented beginning and an end of the document. */
const uncommon = /[\r\t\ufeff]|^ |(?:^|\n)\.\.\./

/**
 * Common YAML as the very tree that the careful reader makes of it, in a tenth of the time; undefined for everything else,
 * first of all for what has a problem: the careful reader says which. Where the two libraries differ in what they make of
 * a text, this one does not read it.
 */
export function readPlainly(text: string, limits: DocumentLimits): SourceNode | undefined {
  if (uncommon.test(text) || !text.isWellFormed()) return undefined
  const events = eventsOf(text, limits)
  return events && new PlainReader(text, events, limits).read()
}

function eventsOf(text: string, limits: DocumentLimits): readonly Event[] | undefined {
  try {
    // It counts a level or two of its own; the exact limit is held below.
    return parseEvents(text, { maxDepth: limits.depth + 2 })
  } catch {
    return undefined
  }
}

class PlainReader {
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #limits: DocumentLimits
  readonly #lines: Lines
  #at = 0
  #size = 0
  /** Once it is set, nothing more is read, and what was read is worth nothing. */
  #refused = false

  constructor(text: string, events: readonly Event[], limits: DocumentLimits) {
    this.#text = text
    this.#events = events
    this.#limits = limits
    this.#lines = new Lines(text)
  }

  read(): SourceNode | undefined {
    const document = this.#events[this.#at++]
    if (document?.type !== EVENT_ID.DOCUMENT || document.directives.length > 0) return undefined
    const root = this.#node(0)
    const isWhole = this.#isClosed() && this.#at === this.#events.length
    return isWhole && !this.#refused && root.kind !== 'scalar' ? root : undefined
  }

  /** `emptyAt`: where it stands if it is empty; without it, it may not be. */
  #node(depth: number, emptyAt?: number): SourceNode {
    const event = this.#events[this.#at++]
    this.#size++
    if (event === undefined || depth > this.#limits.depth || this.#size > this.#limits.nodes) return this.#refuse()
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event, emptyAt)
      case EVENT_ID.SEQUENCE:
        if (event.anchorStart !== -1 || event.tagStart !== -1) return this.#refuse()
        return { kind: 'list', ...this.#lines.positionOf(event.start), items: this.#items(depth + 1) }
      case EVENT_ID.MAPPING:
        if (event.anchorStart !== -1 || event.tagStart !== -1) return this.#refuse()
        return { kind: 'map', ...this.#lines.positionOf(event.start), entries: this.#entries(depth + 1) }
      case EVENT_ID.DOCUMENT:
      case EVENT_ID.ALIAS:
      case EVENT_ID.POP:
        return this.#refuse()
    }
  }

  #items(depth: number): SourceNode[] {
    const items: SourceNode[] = []
    while (!this.#isClosed()) items.push(this.#value(depth))
    return items
  }

  #entries(depth: number): Map<string, SourceEntry> {
    const entries = new Map<string, SourceEntry>()
    while (!this.#isClosed()) {
      const event = this.#events[this.#at]
      const key = this.#node(depth)
      if (event?.type !== EVENT_ID.SCALAR || key.kind !== 'scalar' || entries.has(key.text)) this.#refuse()
      else {
        const value = this.#value(depth, this.#behindKey(event))
        entries.set(key.text, { key: { line: key.line, column: key.column }, value })
      }
    }
    return entries
  }

  #value(depth: number, emptyAt?: number): SourceNode {
    const event = this.#events[this.#at]
    const isPlain = event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN
    return isPlain && this.#isBelowComment(event.valueStart) ? this.#refuse() : this.#node(depth, emptyAt)
  }

  /** At the beginning of a line, after one that may end in a comment: of some the careful reader adds lines that follow. */
  #isBelowComment(offset: number): boolean {
    let at = offset - 1
    while (this.#text[at] === ' ') at--
    if (this.#text[at] !== '\n') return false
    while (this.#text[at] === ' ' || this.#text[at] === '\n') at--
    return this.#text.slice(this.#text.lastIndexOf('\n', at) + 1, at + 1).includes('#')
  }

  /** Steps over the end of what is being read, if it is here. */
  #isClosed(): boolean {
    if (this.#refused) return true
    if (this.#events[this.#at]?.type !== EVENT_ID.POP) return false
    this.#at++
    return true
  }

  /** The offset behind the key's colon and the spaces after it. The colon must stand in the same line. */
  #behindKey(key: ScalarEvent): number {
    const quote = key.style === SCALAR_STYLE.PLAIN ? 0 : 1
    const colon = this.#behindSpaces(key.valueEnd + quote)
    if (this.#text[colon] !== ':' || colon - key.valueStart + quote > longestKey) this.#refuse()
    return this.#behindSpaces(colon + 1)
  }

  #behindSpaces(offset: number): number {
    let at = offset
    while (this.#text[at] === ' ') at++
    return at
  }

  #scalar(event: ScalarEvent, emptyAt: number | undefined): SourceScalar {
    if (event.anchorStart !== -1 || event.tagStart !== -1) return this.#refuse()
    if (event.valueStart === -1) {
      return emptyAt === undefined ? this.#refuse() : scalar(this.#lines.positionOf(emptyAt), null, '', true)
    }
    const text = getScalarValue(this.#text, event)
    switch (event.style) {
      case SCALAR_STYLE.PLAIN:
        return scalar(this.#lines.positionOf(event.valueStart), plainValue(text), text, true)
      case SCALAR_STYLE.SINGLE_QUOTED:
        return scalar(this.#lines.positionOf(event.valueStart - 1), text, text, false)
      case SCALAR_STYLE.DOUBLE_QUOTED:
        if (!event.fast && !this.#isEscapedAlike(event, text)) return this.#refuse()
        return scalar(this.#lines.positionOf(event.valueStart - 1), text, text, false)
      case SCALAR_STYLE.LITERAL_BLOCK:
      case SCALAR_STYLE.FOLDED_BLOCK: {
        const header = this.#headerOf(event)
        return header === undefined ? this.#refuse() : scalar(this.#lines.positionOf(header), text, text, false)
      }
    }
  }

  /** A code point beyond all is an error to the careful reader only, and blank lines behind an escaped end of line differ. */
  #isEscapedAlike(event: ScalarEvent, text: string): boolean {
    const written = this.#text.slice(event.valueStart, event.valueEnd)
    return !/\\[U\n]/.test(written) && !text.includes('\0') && text.isWellFormed()
  }

  /** The offset of the `|` or `>` at the end of the line before, if it has no `+`, digit or comment and follows a key or a dash. */
  #headerOf(event: ScalarEvent): number | undefined {
    const start = this.#text.lastIndexOf('\n', event.valueStart - 2) + 1
    const line = this.#text.slice(start, event.valueStart)
    const header = line.includes('#') ? null : /(?<=[-:] +)[|>]-? *\n$/.exec(line)
    return header === null ? undefined : start + header.index
  }

  #refuse(): SourceScalar {
    this.#refused = true
    return scalar({ line: 1, column: 1 }, null, '', false)
  }
}

/** Characters from the beginning of a key to its colon, as YAML has it. */
const longestKey = 1_024

function scalar(position: Position, value: SourceScalar['value'], text: string, plain: boolean): SourceScalar {
  return { kind: 'scalar', line: position.line, column: position.column, value, text, plain }
}

/** What is no text: by the rules of the careful reader themselves. */
const { tags } = new Schema({ schema: 'core' })

function plainValue(text: string): SourceScalar['value'] {
  if (!/^[-+.~\dnNtTfF]/.test(text)) return text
  const tag = tags.find((one) => one.default === true && one.test?.test(text))
  if (tag === undefined || tag.collection !== undefined) return text
  const resolved = tag.resolve(text, () => undefined, {})
  const value = isScalar(resolved) ? resolved.value : resolved
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

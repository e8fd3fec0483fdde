import { Finder, type Patterns, type Stretch, Stretches } from '@signalbox/pipeline/masking'
import { type LineHead, type LineIndex, readHead } from './line-index.ts'

const STARS = Buffer.from('***')
const LINE_END = Buffer.from('\n')
// LogLines.lines, and the fields of LogLine in runner.proto.
const LINES_TAG = Buffer.from([0x0a])
const AT_TAG = Buffer.from([0x08])
const STREAM_TAG = Buffer.from([0x12])
const TEXT_TAG = Buffer.from([0x1a])
const CONTINUED = Buffer.from([0x20, 0x01])

/**
 * The lines with every value hidden; undefined where they hold none. Lines keep their number, time and stream. The lines of
 * one stream are searched as one text, as the runner does, because a form of a value may span several lines.
 */
export function scrubLines(
  bytes: Buffer,
  index: LineIndex,
  patterns: Patterns,
): { readonly bytes: Buffer; readonly lines: number } | undefined {
  const hidden = hideInLines(bytes, index, patterns)
  if (hidden.size === 0) return undefined
  const parts: Buffer[] = []
  for (let n = 0; n < index.count; n++) {
    const text = hidden.get(n)
    const body = text
      ? encodeBody(readHead(bytes, index, n), text)
      : bytes.subarray(index.bodies[n * 2], index.bodies[n * 2 + 1])
    parts.push(LINES_TAG, varint(body.length), body)
  }
  return { bytes: Buffer.concat(parts), lines: hidden.size }
}

/** The lines of one stream as one text. */
interface StreamText {
  readonly lines: { readonly n: number; readonly start: number; readonly end: number }[]
  readonly parts: Buffer[]
  length: number
}

/** The texts of the lines in which something is hidden. */
function hideInLines(bytes: Buffer, index: LineIndex, patterns: Patterns): Map<number, Buffer> {
  const hidden = new Map<number, Buffer>()
  for (const { lines, parts } of joinLines(bytes, index)) {
    const text = Buffer.concat(parts)
    const { list } = findIn(text, patterns)
    let first = 0
    for (const { n, start, end } of list.length === 0 ? [] : lines) {
      while (first < list.length && (list[first]?.end ?? 0) <= start) first += 1
      const within: Stretch[] = []
      for (let at = first; at < list.length && (list[at]?.start ?? 0) < end; at++) {
        const stretch = { start: Math.max(list[at]?.start ?? 0, start), end: Math.min(list[at]?.end ?? 0, end) }
        if (stretch.start < stretch.end) within.push(stretch)
      }
      if (within.length > 0) hidden.set(n, hideWithin(text, { start, end }, within))
    }
  }
  return hidden
}

function joinLines(bytes: Buffer, index: LineIndex): Iterable<StreamText> {
  const streams = new Map<string, StreamText>()
  for (let n = 0; n < index.count; n++) {
    const { stream, continued } = readHead(bytes, index, n)
    const joined = streams.get(stream) ?? { lines: [], parts: [], length: 0 }
    streams.set(stream, joined)
    const text = bytes.subarray(index.texts[n * 2], index.texts[n * 2 + 1])
    joined.lines.push({ n, start: joined.length, end: joined.length + text.length })
    joined.parts.push(text)
    // A long line was cut into several: its pieces are one text.
    if (!continued) joined.parts.push(LINE_END)
    joined.length += text.length + (continued ? 0 : LINE_END.length)
  }
  return streams.values()
}

/** The message of one line; `text` as bytes, for it may not be the line's own. */
function encodeBody({ atMs, stream, continued }: LineHead, text: Buffer): Buffer {
  const name = Buffer.from(stream)
  const parts = [AT_TAG, varint(atMs), STREAM_TAG, varint(name.length), name, TEXT_TAG, varint(text.length), text]
  return Buffer.concat(continued ? [...parts, CONTINUED] : parts)
}

function findIn(text: Buffer, patterns: Patterns): Stretches {
  const finder = new Finder(patterns)
  const stretches = new Stretches()
  const add = (start: number, end: number): void => stretches.add(start, end)
  finder.scan(text, 0, add)
  finder.end(text, add)
  return stretches
}

/** One line of `text`, with stars for what is hidden of it. */
function hideWithin(text: Buffer, line: Stretch, hidden: readonly Stretch[]): Buffer {
  const parts: Buffer[] = []
  let at = line.start
  for (const { start, end } of hidden) {
    parts.push(text.subarray(at, start), STARS)
    at = end
  }
  parts.push(text.subarray(at, line.end))
  return Buffer.concat(parts)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) | 0x80)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}

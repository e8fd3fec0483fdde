import type { Automaton } from '@signalbox/pipeline/masking'
import { type LineIndex, readLine, type StoredLine } from './line-index.ts'

const STARS = Buffer.from('***')
// LogLines.lines, and the fields of LogLine in runner.proto.
const LINES_TAG = Buffer.from([0x0a])
const AT_TAG = Buffer.from([0x08])
const STREAM_TAG = Buffer.from([0x12])
const TEXT_TAG = Buffer.from([0x1a])
const CONTINUED = Buffer.from([0x20, 0x01])

/**
 * The same lines with every value hidden; undefined where there is none in them. Lines keep their number, time and
 * stream. A value is looked for within one line: no form of a value holds the end of one.
 */
export function scrubLines(
  bytes: Buffer,
  index: LineIndex,
  automaton: Automaton,
): { readonly bytes: Buffer; readonly lines: number } | undefined {
  const parts: Buffer[] = []
  let lines = 0
  for (let n = 0; n < index.count; n++) {
    const text = hideIn(bytes.subarray(index.texts[n * 2], index.texts[n * 2 + 1]), automaton)
    if (text) lines += 1
    const body = text
      ? encodeBody(readLine(bytes, index, n), text)
      : bytes.subarray(index.bodies[n * 2], index.bodies[n * 2 + 1])
    parts.push(LINES_TAG, varint(body.length), body)
  }
  return lines === 0 ? undefined : { bytes: Buffer.concat(parts), lines }
}

/** The message of one line; `text` as bytes, for it may not be the line's own. */
function encodeBody({ atMs, stream, continued }: StoredLine, text: Buffer): Buffer {
  const name = Buffer.from(stream)
  const parts = [AT_TAG, varint(atMs), STREAM_TAG, varint(name.length), name, TEXT_TAG, varint(text.length), text]
  return Buffer.concat(continued ? [...parts, CONTINUED] : parts)
}

/** `text` with stars for what the automaton finds, undefined where that is nothing. */
export function hideIn(text: Buffer, automaton: Automaton): Buffer | undefined {
  const hidden: { start: number; end: number }[] = []
  automaton.scan(text, 0, 0, (start, end) => {
    let from = start
    for (let last = hidden.at(-1); last && last.end > from; last = hidden.at(-1)) {
      hidden.pop()
      from = Math.min(from, last.start)
    }
    hidden.push({ start: from, end })
  })
  if (hidden.length === 0) return undefined
  const parts: Buffer[] = []
  let at = 0
  for (const { start, end } of hidden) {
    parts.push(text.subarray(at, start), STARS)
    at = end
  }
  parts.push(text.subarray(at))
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

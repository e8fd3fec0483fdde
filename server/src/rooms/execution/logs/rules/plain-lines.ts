import { mayFold, readFold } from './folds.ts'
import { type LineIndex, readHead, readText } from './line-index.ts'

/** Consecutive plain lines: their text says all that is shown of them. Each ends with a line end. */
export interface PlainLines {
  readonly first: number
  readonly count: number
  readonly text: Buffer
}

const LINE_END = 0x0a

/**
 * The lines of `stream`, or all, from `from` to before `before`, in order: plain ones together, and each other one by its number. A line is not
 * plain if it begins or ends a fold, holds a line end, or was cut.
 */
export function cutPlainLines(
  bytes: Buffer,
  index: LineIndex,
  { from, before, stream }: { readonly from: number; readonly before: number; readonly stream?: string | undefined },
): (PlainLines | number)[] {
  const { texts, continued } = index
  // The head of a line takes more bytes than its line end.
  const copy = Buffer.allocUnsafe(bytes.length)
  const found: (PlainLines | number)[] = []
  let first = from
  let start = 0
  let end = 0
  const close = (line: number): void => {
    if (line > first) found.push({ first, count: line - first, text: copy.subarray(start, end) })
    first = line + 1
    start = end
  }
  for (let line = from; line < before; line++) {
    if (stream !== undefined && readHead(bytes, index, line).stream !== stream) {
      close(line)
      continue
    }
    const textStart = texts[line * 2] ?? 0
    const textEnd = texts[line * 2 + 1] ?? 0
    let isPlain = continued[line] === 0 && !(mayFold(bytes[textStart]) && readFold(readText(bytes, index, line)))
    let to = end
    // One loop copies and looks for line ends: a call of `copy` and one of `indexOf` for each short line take longer.
    for (let at = textStart; isPlain && at < textEnd; at++) {
      const byte = bytes[at] ?? 0
      isPlain = byte !== LINE_END
      copy[to++] = byte
    }
    if (isPlain) {
      copy[to++] = LINE_END
      end = to
    } else {
      close(line)
      found.push(line)
    }
  }
  close(before)
  return found
}

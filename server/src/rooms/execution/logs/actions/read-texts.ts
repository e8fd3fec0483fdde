import type { Queryable } from '#platform/database'
import { readText } from '../rules/line-index.ts'
import { type Hide, readBlocks } from './read-blocks.ts'

export interface NumberedText {
  readonly number: number
  readonly text: string
}

export interface TextRange {
  readonly attemptId: string
  /** From the last line to the first. */
  readonly backward: boolean
  /** It ends with the line that exceeds them, whatever the log holds: of a long log only a few rows are read. */
  readonly bytes: number
}

/** The lines of one end of a log, row by row, in the order of reading; missing lines are passed over. */
export async function* readTexts(
  db: Queryable,
  { attemptId, backward, bytes }: TextRange,
  hide: Hide,
): AsyncGenerator<readonly NumberedText[]> {
  let left = bytes
  for await (const block of readBlocks(db, { attemptId, from: 0, backward }, hide)) {
    const index = block.lines?.index
    if (!block.lines || !index) continue
    const lines: NumberedText[] = []
    for (let count = 0; count < block.before - block.from && left > 0; count++) {
      const number = backward ? block.before - 1 - count : block.from + count
      const n = number - block.firstLine
      lines.push({ number, text: readText(block.lines.bytes, index, n) })
      left -= (index.texts[n * 2 + 1] ?? 0) - (index.texts[n * 2] ?? 0) + 1
    }
    yield lines
    if (left <= 0) return
  }
}

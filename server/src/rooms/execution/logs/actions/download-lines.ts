import type { Kit } from '#platform/room'
import type { AttemptRow } from '#rooms/execution/runs'
import { nextLines } from '../store/chunks.ts'
import { presentLine } from './present-line.ts'
import { type Hide, readBlocks } from './read-blocks.ts'
import { endGap, type Line, linesOf } from './read-lines.ts'

/** Attempt after attempt, a piece for each stored row: whoever reads slowly holds one row and no connection. */
async function* readAll(kit: Kit, attempt: AttemptRow, hide: Hide): AsyncGenerator<readonly Line[]> {
  const db = kit.database.kysely
  for await (const block of readBlocks(db, { attemptId: attempt.id, from: 0 }, hide)) yield linesOf(attempt, block)
  const gap = endGap(attempt, (await nextLines(db, [attempt.id])).get(attempt.id) ?? 0)
  if (gap) yield [gap]
}

/** As a person reads it: a heading tells attempts apart where there are several, lines that were cut are whole again. */
export async function* writeText(kit: Kit, attempts: readonly AttemptRow[], hide: Hide): AsyncGenerator<string> {
  for (const attempt of attempts) {
    if (attempts.length > 1) yield `==> ${attempt.step}/${attempt.task}, attempt ${attempt.number}\n`
    let isOpen = false
    for await (const lines of readAll(kit, attempt, hide)) {
      let text = ''
      for (const { text: own, gap, continued } of lines) {
        text += gap ? `${isOpen ? '\n' : ''}[${own}]\n` : continued ? own : `${own}\n`
        isOpen = continued
      }
      yield text
    }
    if (isOpen) yield '\n'
  }
}

/** One entry as JSON on each line. */
export async function* writeNdjson(kit: Kit, attempts: readonly AttemptRow[], hide: Hide): AsyncGenerator<string> {
  for (const attempt of attempts) {
    for await (const lines of readAll(kit, attempt, hide)) {
      yield lines.map((line) => `${presentLine(line).json}\n`).join('')
    }
  }
}

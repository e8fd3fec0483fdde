import type { LogDownloadQuery } from '@signalbox/contracts/logs'
import { Problem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { AttemptRow } from '#rooms/execution/runs'
import type { Wanted } from '../rules/find-lines.ts'
import { readFold } from '../rules/folds.ts'
import { nextLines } from '../store/chunks.ts'
import { presentLine } from './present-line.ts'
import { type Hide, readBlocks } from './read-blocks.ts'
import { endGap, type Line, linesOf, readLines } from './read-lines.ts'

/** Lines of a download, some at a time, in order. A search that found nothing for a while yields none. */
export type Download = AsyncIterable<readonly Line[]>

const LINES_PER_PAGE = 10_000

/** All lines of the attempts, a piece for each stored row: whoever reads slowly holds one row and no connection. */
export async function* readAll(kit: Kit, attempts: readonly AttemptRow[], hide: Hide): AsyncGenerator<readonly Line[]> {
  const db = kit.database.kysely
  for (const attempt of attempts) {
    for await (const block of readBlocks(db, { attemptId: attempt.id, from: 0 }, hide)) yield linesOf(attempt, block)
    const gap = endGap(attempt, (await nextLines(db, [attempt.id])).get(attempt.id) ?? 0)
    if (gap) yield [gap]
  }
}

/** All lines that the query wants, page after page. The first page is read before this answers: what it refuses is thrown. */
export async function searchAll(
  kit: Kit,
  attempts: readonly AttemptRow[],
  query: LogDownloadQuery,
  wanted: Wanted | undefined,
  hide: Hide,
): Promise<AsyncGenerator<readonly Line[]>> {
  const choice = { ...(query.stream === undefined ? {} : { stream: query.stream }), limit: LINES_PER_PAGE }
  const first = await readLines(kit, attempts, choice, wanted, hide)
  return pages()
  async function* pages(): AsyncGenerator<readonly Line[]> {
    yield first.lines
    for (let cursor = first.next; cursor !== undefined; ) {
      const page = await readLines(kit, attempts, { ...choice, cursor }, wanted, hide)
      yield page.lines
      cursor = page.next
    }
  }
}

/** As a person reads it: a heading tells attempts apart where there are several, lines that were cut are whole again. */
export async function* writeText(attempts: readonly AttemptRow[], download: Download): AsyncGenerator<string> {
  let headed = attempts.length > 1 ? 0 : 1
  let open: Line | undefined
  for await (const lines of download) {
    let text = ''
    for (const line of lines) {
      const isNext = open?.attempt === line.attempt && open.number + 1 === line.number && !line.gap
      if (open && !isNext) text += '\n'
      while (headed < attempts.length && (attempts[headed]?.id ?? '') <= line.attempt.id) {
        text += headingOf(attempts[headed++])
      }
      text += line.gap ? `[${line.text}]\n` : line.continued ? line.text : `${line.text}\n`
      open = line.continued ? line : undefined
    }
    yield text
  }
  yield `${open ? '\n' : ''}${attempts.slice(headed).map(headingOf).join('')}`
}

function headingOf(attempt: AttemptRow | undefined): string {
  return attempt ? `==> ${attempt.step}/${attempt.task}, attempt ${attempt.number}\n` : ''
}

/** One entry as JSON on each line. */
export async function* writeNdjson(download: Download): AsyncGenerator<string> {
  yield* endWithProblem(download, (lines) => lines.map(entryLine).join(''))
}

/**
 * Plain lines as they are, many at a time: `{step, task, attempt, number, lines, bytes}` as JSON on a line of its own, and
 * behind it so many lines. Every other line is an entry as JSON, as are gaps, folds, and lines that hold a line end.
 */
export async function* writeBlocks(download: Download): AsyncGenerator<string> {
  // A line end alone keeps the connection open while a search finds nothing.
  yield* endWithProblem(download, (lines) => (lines.length === 0 ? '\n' : blocksOf(lines)))
}

function blocksOf(lines: readonly Line[]): string {
  let written = ''
  let first: Line | undefined
  let texts: string[] = []
  const close = (): void => {
    if (first) written += blockOf(first, texts)
    first = undefined
    texts = []
  }
  for (const line of lines) {
    const isPlain = !presentsMore(line)
    if (first && (!isPlain || line.attempt !== first.attempt || line.number !== first.number + texts.length)) close()
    if (isPlain) {
      first ??= line
      texts.push(line.text)
    } else written += entryLine(line)
  }
  close()
  return written
}

function blockOf({ attempt: { step, task, number: attempt }, number }: Line, texts: readonly string[]): string {
  const text = `${texts.join('\n')}\n`
  const head = { step, task, attempt, number, lines: texts.length, bytes: Buffer.byteLength(text) }
  return `${JSON.stringify(head)}\n${text}`
}

/** A line is printed by its text alone, unless it is a gap, begins or ends a fold, or holds a line end. */
function presentsMore(line: Line): boolean {
  return line.gap !== undefined || line.text.includes('\n') || readFold(line.text) !== undefined
}

function entryLine(line: Line): string {
  return `${presentLine(line).json}\n`
}

/** The status is sent by then: what refuses the rest of a search is the last line, so that no reader asks again. */
async function* endWithProblem(download: Download, write: (lines: readonly Line[]) => string): AsyncGenerator<string> {
  try {
    for await (const lines of download) yield write(lines)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, code, title, message: detail } = error
    yield `${JSON.stringify({ problem: { status, code, title, detail } })}\n`
  }
}

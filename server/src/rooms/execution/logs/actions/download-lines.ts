import { isUtf8 } from 'node:buffer'
import type { LogDownloadQuery } from '@signalbox/contracts/logs'
import { Problem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { AttemptRow } from '#rooms/execution/runs'
import { readFold } from '../rules/folds.ts'
import { cutPlainLines } from '../rules/plain-lines.ts'
import { nextLines } from '../store/chunks.ts'
import { presentLine } from './present-line.ts'
import { type Block, type Hide, readBlocks } from './read-blocks.ts'
import { endGap, type Filter, type Line, lineAt, linesOf, readLines } from './read-lines.ts'

/** Consecutive lines of one attempt as the bytes that are sent, each with its line end: none of them is decoded. */
export interface PlainPart {
  readonly attempt: AttemptRow
  readonly number: number
  readonly count: number
  readonly plain: Buffer
}

/** Lines of a download, some at a time, in order. A search that found nothing for a while yields none. */
export type Download<Part = Line> = AsyncIterable<readonly Part[]>

const LINES_PER_PAGE = 10_000

/** The lines that are read of each row, those of one stream or all, and the values hidden in them. */
export interface Reading {
  readonly stream: string | undefined
  readonly hide: Hide
}

/** The lines of the attempts, some for each stored row: a slow reader holds one row and no connection. */
export function readAll(kit: Kit, attempts: readonly AttemptRow[], reading: Reading): AsyncGenerator<readonly Line[]> {
  return readRows(kit, attempts, reading, linesOfStream)
}

/** As readAll, with plain lines together, for formats that show only their text: that takes a third of the time. */
export function readParts(
  kit: Kit,
  attempts: readonly AttemptRow[],
  reading: Reading,
): AsyncGenerator<readonly (Line | PlainPart)[]> {
  return readRows(kit, attempts, reading, partsOf)
}

async function* readRows<Part>(
  kit: Kit,
  attempts: readonly AttemptRow[],
  { stream, hide }: Reading,
  cut: (attempt: AttemptRow, block: Block, stream: string | undefined) => readonly Part[],
): AsyncGenerator<readonly (Part | Line)[]> {
  const db = kit.database.kysely
  for (const attempt of attempts) {
    // A row of another stream sends nothing that would wait for its reader: other requests have their turn meanwhile.
    const range = { attemptId: attempt.id, from: 0, ahead: stream !== undefined }
    for await (const block of readBlocks(db, range, hide)) yield cut(attempt, block, stream)
    const gap = endGap(attempt, (await nextLines(db, [attempt.id])).get(attempt.id) ?? 0)
    if (gap) yield [gap]
  }
}

/** The marks of missing lines are of every stream. */
function linesOfStream(attempt: AttemptRow, block: Block, stream: string | undefined): readonly Line[] {
  const lines = linesOf(attempt, block)
  return stream === undefined ? lines : lines.filter((line) => line.gap !== undefined || line.stream === stream)
}

function partsOf(attempt: AttemptRow, block: Block, stream: string | undefined): readonly (Line | PlainPart)[] {
  const { lines, firstLine, from, before } = block
  if (!lines?.index) return linesOfStream(attempt, block, stream)
  const range = { from: from - firstLine, before: before - firstLine, stream }
  const parts = cutPlainLines(lines.bytes, lines.index, range).map((part) =>
    typeof part === 'number'
      ? lineAt(attempt, block, part)
      : { attempt, number: firstLine + part.first, count: part.count, plain: part.text },
  )
  // Readers are sent UTF-8, although a runner may have sent other bytes.
  return parts.every((part) => !('plain' in part) || isUtf8(part.plain)) ? parts : linesOfStream(attempt, block, stream)
}

/** All lines that the query wants, page after page. The first page is read before this answers: what it refuses is thrown. */
export async function searchAll(
  kit: Kit,
  attempts: readonly AttemptRow[],
  query: LogDownloadQuery,
  filter: Filter,
): Promise<AsyncGenerator<readonly Line[]>> {
  const choice = { ...(query.stream === undefined ? {} : { stream: query.stream }), limit: LINES_PER_PAGE }
  const first = await readLines(kit, attempts, choice, filter)
  return pages()
  async function* pages(): AsyncGenerator<readonly Line[]> {
    yield first.lines
    for (let cursor = first.next; cursor !== undefined; ) {
      const page = await readLines(kit, attempts, { ...choice, cursor }, filter)
      yield page.lines
      cursor = page.next
    }
  }
}

/** As a person reads it: a heading tells attempts apart where there are several, lines that were cut are whole again. */
export async function* writeText(
  attempts: readonly AttemptRow[],
  download: Download<Line | PlainPart>,
): AsyncGenerator<string | Buffer> {
  let headed = attempts.length > 1 ? 0 : 1
  let open: Line | undefined
  for await (const parts of download) {
    const written: (string | Buffer)[] = []
    for (const part of parts) {
      const isPlain = 'plain' in part
      const isNext = open?.attempt === part.attempt && open.number + 1 === part.number && (isPlain || !part.gap)
      if (open && !isNext) written.push('\n')
      while (headed < attempts.length && (attempts[headed]?.id ?? '') <= part.attempt.id) {
        written.push(headingOf(attempts[headed++]))
      }
      written.push(isPlain ? part.plain : part.gap ? `[${part.text}]\n` : part.continued ? part.text : `${part.text}\n`)
      open = !isPlain && part.continued ? part : undefined
    }
    yield* join(written)
  }
  yield `${open ? '\n' : ''}${attempts.slice(headed).map(headingOf).join('')}`
}

/** Two pieces are sent as they are, without another copy; many small ones would be as many writes. */
function join(written: readonly (string | Buffer)[]): readonly (string | Buffer)[] {
  if (written.length <= 2) return written
  return [Buffer.concat(written.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))]
}

function headingOf(attempt: AttemptRow | undefined): string {
  return attempt ? `==> ${attempt.step}/${attempt.task}, attempt ${attempt.number}\n` : ''
}

/** One entry as JSON on each line. */
export async function* writeNdjson(download: Download): AsyncGenerator<string> {
  yield* endWithProblem(download, (lines) => [lines.map(entryLine).join('')])
}

/**
 * Plain lines as they are, many at a time: `{step, task, attempt, number, lines, bytes}` as JSON on a line of its own, and
 * behind it so many lines. Gaps, folds, lines that were cut, and lines that hold a line end are entries as JSON.
 */
export async function* writeBlocks(download: Download<Line | PlainPart>): AsyncGenerator<string | Buffer> {
  // A line end alone keeps the connection open while a search finds nothing.
  yield* endWithProblem(download, (parts) => (parts.length === 0 ? ['\n'] : blocksOf(parts)))
}

function blocksOf(parts: readonly (Line | PlainPart)[]): readonly (string | Buffer)[] {
  const written: (string | Buffer)[] = []
  let first: Line | undefined
  let texts: string[] = []
  const close = (): void => {
    if (first) {
      const plain = Buffer.from(`${texts.join('\n')}\n`)
      written.push(...blockOf({ attempt: first.attempt, number: first.number, count: texts.length, plain }))
    }
    first = undefined
    texts = []
  }
  for (const part of parts) {
    const line = 'plain' in part || presentsMore(part) ? undefined : part
    if (first && (line?.attempt !== first.attempt || line.number !== first.number + texts.length)) close()
    if (line) {
      first ??= line
      texts.push(line.text)
    } else if ('plain' in part) written.push(...blockOf(part))
    else written.push(entryLine(part))
  }
  close()
  return join(written)
}

function blockOf({ attempt: { step, task, number: attempt }, number, count, plain }: PlainPart): [string, Buffer] {
  const head = { step, task, attempt, number, lines: count, bytes: plain.length }
  return [`${JSON.stringify(head)}\n`, plain]
}

/** A line is printed by its text alone, unless it is a gap, was cut, begins or ends a fold, or holds a line end. */
function presentsMore(line: Line): boolean {
  return line.gap !== undefined || line.continued || line.text.includes('\n') || readFold(line.text) !== undefined
}

function entryLine(line: Line): string {
  return `${presentLine(line).json}\n`
}

/** The status is sent by then: what refuses the rest of a search is the last line, so that no reader asks again. */
async function* endWithProblem<Part, Written>(
  download: Download<Part>,
  write: (parts: readonly Part[]) => readonly Written[],
): AsyncGenerator<Written | string> {
  try {
    for await (const parts of download) yield* write(parts)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, code, title, message: detail } = error
    yield `${JSON.stringify({ problem: { status, code, title, detail } })}\n`
  }
}

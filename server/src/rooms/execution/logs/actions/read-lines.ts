import type { LogQuery } from '@signalbox/contracts/logs'
import type { Queryable } from '#platform/database'
import type { AttemptRow } from '#rooms/execution/runs'
import { listChunks } from '../store.ts'
import { unpackLines } from './unpack-lines.ts'

export interface Line {
  readonly attempt: AttemptRow
  readonly number: number
  readonly text: string
  readonly stream: string
  readonly at: Date
}

const CHUNKS_AT_ONCE = 32
/** A search that finds little stops here and says where it stopped. */
const MAX_CHUNKS = 4000
/** Characters of one page: 10,000 lines may be of 64 KiB each, and a page is held whole while it is written out. */
const MAX_CHARACTERS = 8 * 1024 * 1024
/** What a chunk that does not unpack says: its lines keep their numbers. */
const UNREADABLE = '(this line cannot be read)'

/** The lines of one attempt from `from` on, chunk by chunk; no page is empty. */
export async function* readChunks(db: Queryable, attempt: AttemptRow, from: number): AsyncGenerator<readonly Line[]> {
  let next = from
  for (;;) {
    const chunks = await listChunks(db, attempt.id, next, CHUNKS_AT_ONCE)
    for (const chunk of chunks) {
      const lines = unpackLines(chunk.linesZstd) ?? []
      const page: Line[] = []
      for (let index = 0; index < chunk.lineCount; index++) {
        const number = chunk.firstLine + index
        if (number < next) continue
        const line = lines[index]
        const at = new Date(Number(line?.atMs ?? 0n))
        page.push({
          attempt,
          number,
          text: line?.text ?? UNREADABLE,
          stream: line?.stream ?? 'system',
          at: Number.isNaN(at.getTime()) ? new Date(0) : at,
        })
      }
      next = Math.max(next, chunk.firstLine + chunk.lineCount)
      if (page.length > 0) yield page
    }
    if (chunks.length < CHUNKS_AT_ONCE) return
  }
}

export interface LinePage {
  readonly lines: readonly Line[]
  /** Where the next page begins: `<attempt id>:<line>`. */
  readonly next: string | undefined
}

const DEFAULT_LIMIT = 1000

/** One page of the lines of these attempts, attempt after attempt in the order in which they were made. */
export async function readLines(db: Queryable, attempts: readonly AttemptRow[], query: LogQuery): Promise<LinePage> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const wanted = query.search?.toLowerCase()
  const [startId, startLine] = query.cursor?.split(':') ?? []
  const lines: Line[] = []
  let chunks = 0
  let characters = 0
  for (const attempt of attempts) {
    if (startId !== undefined && attempt.id < startId) continue
    const from = Math.max(query.from ?? 0, attempt.id === startId ? Number(startLine) : 0)
    for await (const page of readChunks(db, attempt, from)) {
      for (const line of page) {
        if (lines.length === limit || characters >= MAX_CHARACTERS)
          return { lines, next: `${attempt.id}:${line.number}` }
        if (wanted !== undefined && !line.text.toLowerCase().includes(wanted)) continue
        lines.push(line)
        characters += line.text.length
      }
      const last = page.at(-1)
      if (++chunks >= MAX_CHUNKS && last) return { lines, next: `${attempt.id}:${last.number + 1}` }
    }
  }
  return { lines, next: undefined }
}

/** The attempts that a query means; they are in the order in which they were made. */
export function chooseAttempts(
  attempts: readonly AttemptRow[],
  query: { readonly step?: string; readonly task?: string; readonly attempt?: number },
): AttemptRow[] {
  return attempts.filter(
    ({ step, task, number }) =>
      (query.step === undefined || step === query.step) &&
      (query.task === undefined || task === query.task) &&
      (query.attempt === undefined || number === query.attempt),
  )
}

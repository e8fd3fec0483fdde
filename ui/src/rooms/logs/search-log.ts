import { logRoutes } from '@signalbox/contracts/logs/routes'
import { exchange } from '../../client/index.ts'
import { type LogEntry, sectionOf } from './log-entry.ts'

export interface Hit {
  readonly section: string
  readonly number: number
}

/** The hits so far; `first` is the line of the first of them. */
export interface Found {
  readonly hits: readonly Hit[]
  readonly isDone: boolean
  readonly first: LogEntry | undefined
}

export interface SearchWish {
  readonly runId: string
  readonly text: string
  readonly isExpression: boolean
  readonly step?: string | undefined
  readonly task?: string | undefined
  readonly attempt?: number | undefined
}

/** Hits that are counted; more are said to be more. */
export const MOST_HITS = 20_000

/** The lines of the whole log that hold the text, found by the server; tells the hits so far after each page. */
export async function searchLog(
  { runId, text, isExpression, step, task, attempt }: SearchWish,
  signal: AbortSignal,
  tell: (found: Found) => void,
): Promise<void> {
  const hits: Hit[] = []
  let first: LogEntry | undefined
  const wanted = isExpression ? { regex: text } : { search: text }
  let cursor: string | undefined
  do {
    // The first one is shown as soon as the server has it, and not with a thousand others.
    const query = { step, task, attempt, ...wanted, limit: first ? 1000 : 1, cursor }
    const { body, next } = await exchange(logRoutes.listLogLines, { params: { id: runId }, query, signal })
    first ??= body[0]
    hits.push(...body.map((entry: LogEntry) => ({ section: sectionOf(entry), number: entry.number })))
    cursor = next === undefined ? undefined : cursorOf(next)
    tell({ hits: [...hits], isDone: cursor === undefined, first })
  } while (cursor !== undefined && hits.length < MOST_HITS)
}

function cursorOf(next: string): string | undefined {
  return new URL(next, location.origin).searchParams.get('cursor') ?? undefined
}

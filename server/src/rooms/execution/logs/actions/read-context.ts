import type { LogQuery } from '@signalbox/contracts/logs'
import { platformProblem } from '#platform/problems'
import type { AttemptRow } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { type Hide, readBlocks } from './read-blocks.ts'
import { type Filter, type Line, type LinePage, linesOf, readLines } from './read-lines.ts'

/** A line of a page; `isContext`: it stands beside a hit. */
export interface PageLine {
  readonly line: Line
  readonly isContext: boolean
}

export interface ContextPage {
  readonly lines: readonly PageLine[]
  readonly next: string | undefined
}

const USUAL_AROUND = 50
/** Each hit may lie in a row of its own, which is read again for the lines beside it. */
const MOST_HITS = 100
const MOST_BESIDE_HIT = 20

/**
 * A page of lines as the query wants it: around a line, or with the lines beside each hit. Throws invalid_request (400)
 * for what does not go together.
 */
export async function readPage(
  means: Means,
  attempts: readonly AttemptRow[],
  query: LogQuery,
  filter: Filter,
): Promise<ContextPage> {
  const { around, context = 0 } = query
  if (around !== undefined) return plain(await readAround(means, attempts, { ...query, around }, filter.hide))
  if (context === 0) return plain(await readLines(means, attempts, query, filter))
  if (filter.wanted === undefined) throw unfit('context', 'goes with around, search or regex')
  if (context > MOST_BESIDE_HIT) throw unfit('context', `is at most ${MOST_BESIDE_HIT} beside a hit`)
  const page = await readLines(means, attempts, withFewHits(query), filter)
  const isBackward = query.direction === 'backward' && query.tail === undefined
  return { lines: await addContext(means, page.lines, { context, hide: filter.hide, isBackward }), next: page.next }
}

function plain({ lines, next }: LinePage): ContextPage {
  return { lines: lines.map((line) => ({ line, isContext: false })), next }
}

function withFewHits({ limit = MOST_HITS, tail, ...query }: LogQuery): LogQuery {
  const few = { ...query, limit: Math.min(limit, MOST_HITS) }
  return tail === undefined ? few : { ...few, tail: Math.min(tail, MOST_HITS) }
}

/** Of the newest of these attempts: they are all of one task. */
async function readAround(
  means: Means,
  attempts: readonly AttemptRow[],
  query: LogQuery & { readonly around: number },
  hide: Hide,
): Promise<LinePage> {
  const { step, task, search, regex, tail, from, cursor, around, stream, context = USUAL_AROUND } = query
  if (step === undefined || task === undefined) throw unfit('around', 'goes with step and task')
  if ((search ?? regex ?? tail ?? from ?? cursor) !== undefined) {
    throw unfit('around', 'does not go with search, regex, tail, from and cursor')
  }
  const first = Math.max(0, around - context)
  const wish = { from: first, limit: around - first + context + 1, ...(stream === undefined ? {} : { stream }) }
  const { lines } = await readLines(means, attempts.slice(-1), wish, { wanted: undefined, hide })
  return { lines: lines.filter(({ number }) => number <= around + context), next: undefined }
}

interface Beside {
  readonly context: number
  readonly hide: Hide
}

/** In the order of the hits. */
async function addContext(
  means: Means,
  hits: readonly Line[],
  { isBackward, ...beside }: Beside & { readonly isBackward: boolean },
): Promise<PageLine[]> {
  const found: PageLine[] = []
  for (const own of Map.groupBy(isBackward ? hits.toReversed() : hits, ({ attempt }) => attempt.id).values()) {
    found.push(...(await addToOne(means, own, beside)))
  }
  return isBackward ? found.reverse() : found
}

/** Hits of one attempt, in order. */
async function addToOne(means: Means, hits: readonly Line[], { context, hide }: Beside): Promise<PageLine[]> {
  const attempt = hits[0]?.attempt
  if (!attempt) return []
  const numbers = new Set(hits.map(({ number }) => number))
  const found: PageLine[] = []
  for (const { from, before } of joinRanges(hits, context)) {
    for await (const block of readBlocks(means.database.kysely, { attemptId: attempt.id, from, before }, hide)) {
      found.push(...linesOf(attempt, block).map((line) => ({ line, isContext: !numbers.has(line.number) })))
    }
  }
  return found
}

function joinRanges(hits: readonly Line[], context: number): { readonly from: number; readonly before: number }[] {
  const ranges: { from: number; before: number }[] = []
  for (const { number } of hits) {
    const from = Math.max(0, number - context)
    const last = ranges.at(-1)
    if (last && from <= last.before) last.before = number + context + 1
    else ranges.push({ from, before: number + context + 1 })
  }
  return ranges
}

function unfit(field: string, message: string): Error {
  return platformProblem('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}

import { Readable } from 'node:stream'
import * as shapes from '@signalbox/contracts/logs'
import { logRoutes as stated } from '@signalbox/contracts/logs/routes'
import { answer, linkNext, originOf, type Route, serve, streamAnswer } from '#platform/http'
import type { Problem } from '#platform/problems'
import { eventStream, MOST_STREAMS, type ServerEvent, SSE_HEADERS, StreamCount } from '#platform/sse'
import type { AttemptRow } from '#rooms/execution/runs'
import { chooseAttempts } from './actions/choose-attempts.ts'
import { readAll, readParts, searchAll, writeBlocks, writeNdjson, writeText } from './actions/download-lines.ts'
import { explainFailure } from './actions/explain-failure.ts'
import { type FollowedLine, followLines } from './actions/follow-lines.ts'
import { readHidden, rememberHidden } from './actions/hide-values.ts'
import { presentFailure } from './actions/present-failure.ts'
import { toEntry } from './actions/present-line.ts'
import { type ContextPage, readPage } from './actions/read-context.ts'
import { readWanted } from './actions/read-wanted.ts'
import { requestScrub } from './actions/scrub-logs.ts'
import { Watches } from './actions/watch-run.ts'
import { logProblem } from './errors.ts'
import type { Means } from './means.ts'
import { readPosition } from './rules/follow-position.ts'

export function logRoutes(means: Means): Route[] {
  const db = means.database.kysely
  const known = rememberHidden()
  const watches = new Watches(means, known)
  const followers = new StreamCount()
  return serve(stated, shapes, {
    listLogLines: async (request) => {
      const { id } = await means.runs.findVisible(request.caller, request.params.id, 'log.read')
      const { hide, patterns } = await readHidden(means, db, id, known)
      const wanted = readWanted(request.query, patterns !== undefined)
      const attempts = chooseAttempts(await means.runs.listAttempts(db, id), request.query)
      const page = await readPage(means, attempts, request.query, { wanted, hide })
      const entries = page.lines.map(({ line, isContext }) => ({ ...toEntry(line), ...(isContext ? BESIDE : {}) }))
      return answer(200, entries, linkBehind(request.url, page, request.query))
    },
    followLogs: async (request) => {
      const { id } = await means.runs.findVisible(request.caller, request.params.id, 'log.read')
      const { signal, query, headers } = request
      if (!followers.take(request.caller, signal)) throw tooManyStreams()
      const lastEventId = [headers['last-event-id']].flat()[0]
      const start = readPosition(lastEventId, means.clock.now().getTime())
      const newOnly = query.new_only === true && lastEventId === undefined
      const lines = followLines(means, watches, { runId: id, query, start, newOnly }, signal)
      return streamAnswer(eventStream(toEvents(lines, signal), { clock: means.clock, signal }), SSE_HEADERS)
    },
    downloadLogs: async (request) => {
      const { id } = await means.runs.findVisible(request.caller, request.params.id, 'log.read')
      const { query } = request
      const { hide, patterns } = await readHidden(means, db, id, known)
      const wanted = readWanted(query, patterns !== undefined)
      const attempts = chooseAttempts(await means.runs.listAttempts(db, id), query)
      const format = query.format ?? 'text'
      const lines = wanted ? await searchAll(means, attempts, query, { wanted, hide }) : undefined
      const reading = { stream: query.stream, hide }
      const written =
        format === 'ndjson'
          ? writeNdjson(lines ?? readAll(means, attempts, reading))
          : writePlain(format, attempts, lines ?? readParts(means, attempts, reading))
      return streamAnswer(Readable.from(written, { objectMode: false }), {
        'content-type': FORMATS[format].type,
        'content-disposition': `attachment; filename="run-${id}.${FORMATS[format].extension}"`,
      })
    },
    explainFailure: async (request) => {
      const found = await explainFailure(means, request.caller, { runId: request.query.run_id, known })
      return answer(200, presentFailure(found))
    },
    scrubLogs: async (request) => {
      const { id } = request.params
      const scrubId = await requestScrub(means, originOf(request), id, request.body)
      return answer(202, { scrub_id: scrubId, run_id: id })
    },
  })
}

const BESIDE = { context: true } as const

const FORMATS = {
  text: { type: 'text/plain; charset=utf-8', extension: 'log' },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', extension: 'ndjson' },
  blocks: { type: 'text/plain; charset=utf-8', extension: 'blocks' },
} as const

function writePlain(
  format: 'text' | 'blocks',
  attempts: readonly AttemptRow[],
  download: ReturnType<typeof readParts>,
): AsyncGenerator<string | Buffer> {
  return format === 'text' ? writeText(attempts, download) : writeBlocks(download)
}

/** A tail goes on towards the first line, and so by pages. */
function linkBehind(
  url: string,
  { lines, next }: ContextPage,
  query: shapes.LogQuery,
): Readonly<Record<string, string>> {
  if (query.tail === undefined) return linkNext(url, { items: lines, next })
  const [path = '', search = ''] = url.split('?')
  const backward = new URLSearchParams(search)
  backward.delete('tail')
  backward.set('direction', 'backward')
  return linkNext(`${path}?${backward}`, { items: lines, next })
}

async function* toEvents(
  lines: ReturnType<typeof followLines>,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerEvent[]> {
  for await (const some of lines) {
    yield typeof some === 'string' ? [{ event: some, data: {} }] : some.map(toEvent)
  }
  // A follower whose stream ends because this process stops comes back to another process.
  if (!signal.aborted) yield [{ event: 'eof', data: {} }]
}

function toEvent({ line, position }: FollowedLine): ServerEvent {
  return { event: line.entry.gap ? 'gap' : 'line', id: position, json: line.json }
}

function tooManyStreams(): Problem {
  const detail = `You follow ${MOST_STREAMS} logs already: end one of the streams, then ask again.`
  return logProblem('log.too_many_streams', detail, { headers: { 'retry-after': '10' } })
}

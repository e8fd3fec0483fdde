import { Readable } from 'node:stream'
import { LogEntry, LogParams, LogQuery, LogStreamQuery } from '@signalbox/contracts/logs'
import { Type } from 'typebox'
import { answer, defineRoute, linkNext, type Route, streamAnswer } from '#platform/http'
import type { Kit } from '#platform/room'
import { eventStream, type ServerEvent, SSE_HEADERS } from '#platform/sse'
import { toWireTime } from '#platform/time'
import type { AttemptRow, Runs } from '#rooms/execution/runs'
import { type FollowNeeds, followLines } from './actions/follow-lines.ts'
import { chooseAttempts, type Line, readChunks, readLines } from './actions/read-lines.ts'
import { readPosition } from './rules/follow-position.ts'

export interface LogRouteNeeds extends FollowNeeds {
  readonly runs: Pick<Runs, 'listAttempts' | 'isOver' | 'findVisible'>
}

const common = { tag: 'logs', class: 'authorized', permission: 'log.read', method: 'GET' } as const

export function logRoutes(kit: Kit, needs: LogRouteNeeds): Route[] {
  const db = kit.database.kysely
  return [
    defineRoute({
      ...common,
      path: '/v1/runs/:id/logs',
      summary: 'Lines of the logs of a run',
      schema: { params: LogParams, query: LogQuery },
      responses: { 200: Type.Array(LogEntry) },
      handle: async (request) => {
        const { id } = await needs.runs.findVisible(request.caller, request.params.id, 'log.read')
        const attempts = chooseAttempts(await needs.runs.listAttempts(db, id), request.query)
        const { lines, next } = await readLines(db, attempts, request.query)
        return answer(200, lines.map(present), linkNext(request.url, { items: lines, next }))
      },
    }),
    defineRoute({
      ...common,
      path: '/v1/runs/:id/logs/stream',
      summary: 'Follow the logs of a run until it has finished; Last-Event-ID goes on where another stream ended',
      schema: { params: LogParams, query: LogStreamQuery },
      responses: { 200: 'stream' },
      handle: async (request) => {
        const { id } = await needs.runs.findVisible(request.caller, request.params.id, 'log.read')
        const { signal, query, headers } = request
        const start = readPosition([headers['last-event-id']].flat()[0])
        const lines = followLines(kit, needs, id, query, start, signal)
        return streamAnswer(eventStream(toEvents(lines), { clock: kit.clock, signal }), SSE_HEADERS)
      },
    }),
    defineRoute({
      ...common,
      path: '/v1/runs/:id/logs/download',
      summary: 'The logs of a run as text',
      schema: { params: LogParams, query: LogStreamQuery },
      responses: { 200: 'text' },
      handle: async (request) => {
        const { id } = await needs.runs.findVisible(request.caller, request.params.id, 'log.read')
        const attempts = chooseAttempts(await needs.runs.listAttempts(db, id), request.query)
        return streamAnswer(Readable.from(toText(kit, attempts), { objectMode: false }), {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="run-${id}.log"`,
          'x-content-type-options': 'nosniff',
        })
      },
    }),
  ]
}

async function* toEvents(lines: ReturnType<typeof followLines>): AsyncGenerator<ServerEvent> {
  for await (const line of lines) yield { event: 'line', id: line.position, data: present(line) }
  yield { event: 'end', data: {} }
}

/** Attempt after attempt; a heading tells them apart where there are several. */
async function* toText(kit: Kit, attempts: readonly AttemptRow[]): AsyncGenerator<string> {
  for (const attempt of attempts) {
    if (attempts.length > 1) yield `==> ${attempt.step}/${attempt.task}, attempt ${attempt.number}\n`
    for await (const page of readChunks(kit.database.kysely, attempt, 0)) {
      yield `${page.map((line) => line.text).join('\n')}\n`
    }
  }
}

function present(line: Line): LogEntry {
  return {
    line: line.text,
    number: line.number,
    step: line.attempt.step,
    task: line.attempt.task,
    attempt: line.attempt.number,
    stream: line.stream,
    at: toWireTime(line.at),
  }
}

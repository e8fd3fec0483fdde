import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#platform/log'
import type { Problem } from '#platform/problems'
import type { Clock } from '#platform/time'
import { toProblem } from './errors.ts'
import { problemBody } from './problem-body.ts'

/** Turns an error into a problem, and logs errors on our side. */
export type ReadProblem = (error: unknown, request: FastifyRequest) => Problem

/** 503 says that something is missing for all alike: each of thousands in the log would cost more than to answer them. */
const SAME_AGAIN_MS = 1000

export function createProblemReader({ log, clock }: { readonly log: Log; readonly clock: Clock }): ReadProblem {
  const told = new Map<string, { at: number; untold: number }>()

  /** How many of this code were left out before it; undefined: it is left out itself. */
  function leftOut(code: string): number | undefined {
    const now = clock.monotonic()
    const last = told.get(code)
    if (last && now - last.at < SAME_AGAIN_MS) {
      last.untold += 1
      return undefined
    }
    told.set(code, { at: now, untold: 0 })
    return last?.untold ?? 0
  }

  return (error, request) => {
    const problem = toProblem(error)
    const { code, status } = problem
    if (status < 500) return problem
    const fields = { err: error, code, requestId: request.id, method: request.method, path: pathOf(request) }
    if (status !== 503) log.error(fields, 'request failed')
    else {
      const more = leftOut(code)
      if (more !== undefined) log.warn({ ...fields, more }, 'request could not be served')
    }
    return problem
  }
}

/** Answers with what went wrong. */
export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': request.id })
    .type('application/problem+json')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(problemBody(problem, request.id))
}

/** Without the query, and without tokens in the path: an address may carry something that belongs in no log. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?')[0] ?? ''
  return path.split('/').map(hideToken).join('/')
}

function hideToken(segment: string): string {
  return /sbx[a-z]_/i.test(decode(segment)) ? '***' : segment
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#platform/log'
import type { Problem } from '#platform/problems'
import { toProblem } from './errors.ts'
import { problemBody } from './problem-body.ts'

/** Answers with what went wrong. */
export function sendProblem(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toLoggedProblem(log, error, request)
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': request.id })
    .type('application/problem+json')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(problemBody(problem, request.id))
}

/** What went wrong as a problem; what is wrong on our side is in the log too. */
export function toLoggedProblem(log: Log, error: unknown, request: FastifyRequest): Problem {
  const problem = toProblem(error)
  if (problem.status >= 500) {
    log.error(
      { err: error, code: problem.code, requestId: request.id, method: request.method, path: pathOf(request) },
      'request failed',
    )
  }
  return problem
}

/** Without the query: an address may carry something that belongs in no log. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '#platform/problems'
import type { AnswerHeaders } from './answer-headers.ts'
import { problemBody } from './problem-body.ts'
import type { Answer, Route } from './route.ts'

/**
 * Whether a route needs nothing of the framework but its address: nobody is authenticated, no body parsed, nothing but
 * the path validated. The route for deliveries is bare: the framework's way to the handler and back costs as much as
 * verifying a signature.
 */
export function isBare(route: Route): boolean {
  return (
    route.class === 'public' &&
    route.rawBody === true &&
    route.schema?.query === undefined &&
    route.schema?.body === undefined &&
    Object.values(route.responses).every((response) => typeof response === 'object')
  )
}

export interface BareWork {
  /** Of every answer. */
  readonly headers: AnswerHeaders
  handle(): Promise<Answer>
  /** Also writes it to the log, where that is due. */
  toProblem(error: unknown): Problem
}

/** Answers by Node's own means. Called in place of the rest of the framework's steps; never rejects. */
export async function answerBare(work: BareWork, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.hijack()
  const own = { ...work.headers, 'x-request-id': request.id }
  try {
    const { status, body, headers } = await work.handle()
    reply.code(status)
    write(reply, status, { ...own, ...headers, ...JSON_TYPE }, reply.serialize(body))
  } catch (error) {
    const problem = work.toProblem(error)
    const headers = { ...own, ...problem.headers, ...PROBLEM_TYPE }
    write(reply, problem.status, headers, JSON.stringify(problemBody(problem, request.id)))
  }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const PROBLEM_TYPE = { 'content-type': 'application/problem+json' }

function write(
  reply: FastifyReply,
  status: number,
  headers: object,
  body: ReturnType<FastifyReply['serialize']>,
): void {
  reply.raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  reply.raw.end(body)
}

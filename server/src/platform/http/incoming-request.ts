import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#platform/log'
import type { Problem } from '#platform/problems'
import type { Caller } from './caller.ts'
import { type BodyReading, readBody } from './read-body.ts'
import type { RouteRequest } from './route.ts'

/** The parts of the server that a request needs. */
export interface RequestContext {
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal
  readonly rawBodies: BodyReading
  readonly log: Log
}

/**
 * A request as the routes see it. The class keeps its functions on the prototype to save memory. V8 allocates getters
 * of a literal, and functions put on an object, in the old generation, where they keep their request alive. Each
 * request, with its body, would stay until the next full collection, which would come every second.
 */
export class IncomingRequest implements RouteRequest {
  readonly params: never
  readonly query: never
  readonly body: never
  readonly headers: RouteRequest['headers']
  readonly rawHeaders: readonly string[]
  readonly url: string
  readonly caller: Caller
  readonly requestId: string
  readonly address: string
  readonly log: Log
  readonly #context: RequestContext
  readonly #reply: FastifyReply
  #gone: AbortController | undefined
  #signal: AbortSignal | undefined

  constructor(context: RequestContext, request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    // The only assertion of a type: Fastify has validated these parts against the route's own schema.
    this.params = request.params as never
    this.query = request.query as never
    this.body = request.body as never
    this.headers = request.headers
    this.rawHeaders = request.raw.rawHeaders
    this.url = request.url
    this.caller = caller
    this.requestId = request.id
    this.address = addressOf(request)
    this.log = context.log
    this.#context = context
    this.#reply = reply
  }

  readBody(limit: number, holder?: string): Promise<Buffer> {
    const { address } = this
    const member = holder === undefined ? undefined : `${holder} ${address}`
    return readBody(this.#reply.request.raw, limit, { holder: holder ?? address, member }, this.#context.rawBodies)
  }

  /** Made when it is asked for: few routes wait for anything, and an abort costs 10 us. */
  get signal(): AbortSignal {
    this.#gone ??= departureOf(this.#reply)
    this.#signal ??= AbortSignal.any([this.#context.stopping, this.#gone.signal])
    return this.#signal
  }

  /** Ends what still waits or streams; the problem is the reason of the signal. */
  end(problem: Problem): void {
    this.#gone?.abort(problem)
  }
}

export function addressOf(request: FastifyRequest): string {
  return isIP(request.ip) ? request.ip : 'unknown'
}

function departureOf(reply: FastifyReply): AbortController {
  const gone = new AbortController()
  if (reply.raw.destroyed) gone.abort(OVER)
  reply.raw.once('close', () => gone.abort(OVER))
  return gone
}

/** As an abort makes it by itself, but once: it has the stack of where it was made, which costs more than the abort. */
const OVER = new DOMException('The request is over', 'AbortError')

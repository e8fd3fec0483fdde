import { Readable } from 'node:stream'
import { entriesOf } from '@signalbox/contracts/http/requests'
import type { FastifySchema } from 'fastify'
import type { Log } from '#platform/log'
import { platformProblem } from '#platform/problems'
import { requireSetUp } from './admit.ts'
import { type Authenticator, type Caller, watchCaller } from './caller.ts'
import { createSerializerCompiler } from './compile-later.ts'
import { invalidRequest, toProblem } from './errors.ts'
import { type Idempotency, readIdempotencyKey } from './idempotency.ts'
import { type Answer, answersSecret, type Route, type RouteRequest, takesIdempotencyKey } from './route.ts'
import { requireWithinLimits } from './token-limits.ts'
import { createValidatorCompiler, validationOf } from './validation.ts'

/** The parts of a request that a route names, as they stand on the wire. */
export interface CallParts {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  /** Such as `if-match` and `idempotency-key`; lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Who calls, and from where: of the request that the call is a part of. */
export interface CallOrigin {
  readonly caller: Caller
  readonly address: string
  readonly requestId: string
  readonly log: Log
  readonly signal: AbortSignal
  /** Further fields of the audit records that the call writes. */
  readonly via?: Readonly<Record<string, unknown>>
}

/** What a request over HTTP would be answered, its body as JSON. */
export interface CalledAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Calls routes in process: the same validation, permission check, handler, idempotency and answer as over HTTP. */
export interface RouteCalls {
  /** The route of this name (`operationId`); undefined where the house has none. */
  find(name: string): Route | undefined
  /** Throws the Problem that a request over HTTP would be answered. A route that streams cannot be called so. */
  call(name: string, parts: CallParts, origin: CallOrigin): Promise<CalledAnswer>
}

export interface RouteCallsOptions {
  /** Asked at the first call, when all rooms are open. */
  readonly listRoutes: () => readonly Route[]
  readonly authenticator: Authenticator
  readonly idempotency: Idempotency
}

type Check = ReturnType<ReturnType<typeof createValidatorCompiler>>

interface Callable {
  readonly route: Route
  readonly check: Readonly<Record<'params' | 'query' | 'body', Check | undefined>>
  serialize(status: number, body: unknown): unknown
}

export function createRouteCalls({ listRoutes, authenticator, idempotency }: RouteCallsOptions): RouteCalls {
  const compile = createValidatorCompiler()
  const serialized = createSerializerCompiler()
  let routes: ReadonlyMap<string, Route> | undefined
  const made = new Map<string, Callable>()

  function find(name: string): Route | undefined {
    routes ??= new Map(listRoutes().map((route) => [route.name, route]))
    return routes.get(name)
  }

  function callableOf(name: string): Callable {
    const known = made.get(name)
    if (known) return known
    const route = find(name)
    if (!route) throw new Error(`the house has no route ${name}`)
    if (Object.values(route.responses).includes('stream')) throw streams(name)
    const callable = makeCallable(route)
    made.set(name, callable)
    return callable
  }

  function makeCallable(route: Route): Callable {
    const place = { method: route.method, url: route.path }
    const { params, querystring, body, response } = validationOf(route)
    const checkOf = (schema: unknown, httpPart: string): Check | undefined =>
      schema === undefined ? undefined : compile({ ...place, schema: schemaOf(schema), httpPart })
    const writers = new Map(
      entriesOf(response).map(([status, schema]) => [
        Number(status),
        serialized({ ...place, schema: schemaOf(schema), httpStatus: status }),
      ]),
    )
    return {
      route,
      check: {
        params: checkOf(params, 'params'),
        query: checkOf(querystring, 'querystring'),
        body: checkOf(body, 'body'),
      },
      serialize(status, value) {
        const write = writers.get(status)
        if (!write || value === undefined) return value
        const parsed: unknown = JSON.parse(write(value))
        return parsed
      },
    }
  }

  async function call({ route, check, serialize }: Callable, parts: CallParts, origin: CallOrigin) {
    requireWithinLimits(route, origin.caller)
    if (route.class === 'authorized') await requireSetUp(route, origin.caller, authenticator)
    const params = textsOf(parts.params)
    const query = textsOf(parts.query)
    // Before defaults are filled in: over HTTP the address is what the client sent.
    const url = urlOf(route, params, query)
    const body = copyOf(parts.body)
    // In this order, as over HTTP: the first part that is wrong is the one that is told.
    requireValid(check.params, 'params', params)
    requireValid(check.body, 'body', body)
    requireValid(check.query, 'querystring', query)
    const key = takesIdempotencyKey(route) ? readIdempotencyKey(parts.headers?.['idempotency-key']) : undefined
    const caller = watchCaller(origin.caller, key !== undefined)
    const request = new InProcessRequest({ params, query, body, url, headers: parts.headers ?? {} }, origin, caller)
    const work = async (): Promise<Answer> => {
      const result = await route.handle(request)
      if (route.class === 'authorized' && !caller.asked)
        throw new Error(`${route.name} answered without a permission check`)
      return result
    }
    const write = { route: `${route.method} ${route.path}`, content: [url, body ?? null], caller }
    const result =
      key === undefined ? await work() : await idempotency.once({ ...write, key, isSecret: answersSecret(route) }, work)
    if (result.body instanceof Readable) {
      result.body.destroy()
      throw streams(route.name)
    }
    return { status: result.status, body: serialize(result.status, result.body), headers: { ...result.headers } }
  }

  return {
    find,
    async call(name, parts, origin) {
      const callable = callableOf(name)
      try {
        return await call(callable, parts, origin)
      } catch (error) {
        throw toProblem(error)
      }
    },
  }
}

function streams(name: string): Error {
  return new Error(`${name} streams: it cannot be called in process`)
}

/** Fastify's types call a schema unknown. */
function schemaOf(schema: unknown): FastifySchema {
  if (typeof schema === 'object' && schema !== null) return schema
  throw new Error('a schema is an object')
}

/** Fills defaults into `value`. Throws invalid_request. */
function requireValid(check: Check | undefined, place: string, value: unknown): void {
  const result = check ? check(value) : true
  if (result === true) return
  const errors = typeof result === 'object' && 'error' in result ? result.error : []
  throw errors instanceof Error ? errors : invalidRequest(place, errors ?? [])
}

type Texts = Record<string, string | string[]>

/** Addresses hold text alone: numbers and the like are checked as they would be over HTTP. */
function textsOf(part: unknown): Texts {
  return Object.fromEntries(
    entriesOf(part).flatMap(([name, value]) => {
      if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return []
      return [[name, Array.isArray(value) ? value.map(String) : String(value)]]
    }),
  )
}

/** Checking fills in defaults: the caller's own value stays as it is. */
function copyOf(body: unknown): unknown {
  return body === undefined ? undefined : structuredClone(body)
}

interface Read {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

class InProcessRequest implements RouteRequest {
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
  readonly signal: AbortSignal
  readonly via?: Readonly<Record<string, unknown>>

  constructor(read: Read, origin: CallOrigin, caller: Caller) {
    // Like IncomingRequest: these parts were validated against the route's own schema.
    this.params = read.params as never
    this.query = read.query as never
    this.body = read.body as never
    this.headers = read.headers
    this.rawHeaders = Object.entries(read.headers).flat()
    this.url = read.url
    this.caller = caller
    this.requestId = origin.requestId
    this.address = origin.address
    this.log = origin.log
    this.signal = origin.signal
    if (origin.via) this.via = origin.via
  }

  readBody(): Promise<Buffer> {
    throw platformProblem('unsupported_media_type', 'This route reads a raw body: call it over HTTP.')
  }
}

/**
 * The address of the request. Nobody resolves it, so a parameter may be a dot or empty, which no client could send: the
 * route finds no such thing. Throws invalid_request for what no address can hold.
 */
function urlOf({ path }: Pick<Route, 'path'>, params: Texts, query: Texts): string {
  const search = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, requireSendable(name, each)]),
  )
  const place = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(requireSendable(name, String(params[name] ?? ''))),
  )
  return search.length === 0 ? place : `${place}?${new URLSearchParams(search).toString()}`
}

/** No address holds a half of a surrogate pair, and PostgreSQL stores no NUL. */
function requireSendable(field: string, text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  throw platformProblem('invalid_request', `${field} must have whole characters, and none that is NUL.`, {
    errors: [{ field, message: 'must have whole characters, and none that is NUL' }],
  })
}

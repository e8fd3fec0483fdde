import type { Readable } from 'node:stream'
import type { Permission } from '@signalbox/contracts/access'
import { SHOWN_ONCE } from '@signalbox/contracts/http'
import type { LimitedTokens, Method, Shapes } from '@signalbox/contracts/http/routes'
import type { TSchema } from 'typebox'
import type { Log } from '#platform/log'
import type { Problems } from '#platform/problems'
import type { Caller } from './caller.ts'

export interface RouteSchema {
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
}

/** A request as the server knows it. `never`: only `serve` knows the types of these parts, which are validated. */
export interface RouteRequest {
  readonly params: never
  readonly query: never
  readonly body: never
  /**
   * Only on routes with `rawBody`: reads the bytes as they come; throws payload_too_large beyond `limit` bytes. The
   * bytes that are read at the same time are bounded. `holder` names whose share of them is used, which all its clients
   * share; by default the client's address alone.
   */
  readBody(limit: number, holder?: string): Promise<Buffer>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Names and values as they came, in pairs; shows a header that was sent twice. */
  readonly rawHeaders: readonly string[]
  readonly url: string
  /** On a public route: the caller `nobody`. */
  readonly caller: Caller
  readonly requestId: string
  /** The client's address. */
  readonly address: string
  readonly log: Log
  /** By which other way than a request of its own it came: for its audit records. */
  readonly via?: Readonly<Record<string, unknown>>
  /**
   * Aborts when the client goes away, the server begins to stop, or the caller loses the right to the stream (the
   * reason is then a Problem). Handlers that wait or stream use it.
   */
  readonly signal: AbortSignal
}

export interface Answer<Status = number, Body = unknown> {
  readonly status: Status
  /** A stream is sent as it is; undefined: no body. */
  readonly body?: Body
  readonly headers?: Readonly<Record<string, string>>
  /** Lines of `Set-Cookie`. They are not sent again with an answer that is kept for an Idempotency-Key. */
  readonly setCookies?: readonly string[]
  /** Of a stream on a public route: asked every 2 s while it is sent; the stream ends when it rejects. */
  readonly admitAgain?: () => Promise<unknown>
}

interface RouteBase {
  readonly method: Method
  /** Fastify form: `/v1/runs/:id`. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  /** The `operationId`. */
  readonly name: string
  /** Where the document finds the names of shapes. */
  readonly shapes: Shapes
  readonly schema?: RouteSchema
  /** Response bodies by status; undeclared fields are not sent. Problems need no entry. */
  readonly responses: Readonly<Record<number, TSchema | 'empty' | 'stream' | 'text'>>
  /** The route's own problems beyond those of every route; for the OpenAPI document. */
  readonly problems?: readonly { readonly status: number; readonly code: string }[]
  /** Sets the cookie of a session, so a browser may send it from our own pages alone. */
  readonly ownPage?: true
  /** The handler may wait for long: the right of the caller is judged again meanwhile, and `signal` ends the wait. */
  readonly waits?: true
  /** Not a part of the public API: the OpenAPI document leaves it out. */
  readonly undocumented?: true
  /** The body is not parsed: the handler reads it when it has decided that it wants it. */
  readonly rawBody?: true
  /** Further content types that arrive as text in `body`, such as application/yaml. */
  readonly textBody?: readonly string[]
  readonly handle: (request: RouteRequest) => Promise<Answer>
}

export type Route = RouteBase & RouteClassPart

/**
 * Public: nobody is authenticated; protected by other means. Authenticated: any valid bearer token or session.
 * Authorized: a valid bearer token or session, and a permission check on the resource.
 */
type RouteClassPart =
  | { readonly class: 'public' }
  | {
      readonly class: 'authenticated'
      /** Default: `no`. */
      readonly limitedTokens?: LimitedTokens
    }
  | {
      readonly class: 'authorized'
      /** The permission of the table at /v1/auth/permissions; the action asks for it on the resource itself. */
      readonly permission: Permission
      /** Reachable while first-install setup is locked. */
      readonly whileLocked?: boolean
      /** Default: `ask` for a GET, else `act`. */
      readonly limitedTokens?: LimitedTokens
    }

/** `route` with what the tables of its room say that it may answer; a read conflicts with nothing. */
export function withProblems(route: Route, tables: readonly Problems[]): Route {
  const all = tables.flatMap(({ table }) => Object.entries(table).map(([code, { status }]) => ({ code, status })))
  return { ...route, problems: route.method === 'GET' ? all.filter(({ status }) => status !== 409) : all }
}

/** Whether a request of this route with an Idempotency-Key is done once: a write whose answer can be kept. */
export function takesIdempotencyKey(route: Route): boolean {
  if (route.method === 'GET' || route.class === 'public' || route.rawBody) return false
  return !isSentForLong(route)
}

/** Whether an answer holds a secret that is shown once: it is sealed where it is kept for an Idempotency-Key. */
export function answersSecret({ responses }: Route): boolean {
  return JSON.stringify(responses).includes(`"${SHOWN_ONCE}":true`)
}

/** Whether the answer may take long to be sent: its right is judged again meanwhile. */
export function isSentForLong(route: Route): boolean {
  return Object.values(route.responses).some((shape) => shape === 'stream' || shape === 'text')
}

/** Whether the right of a caller is judged again before the answer is sent in full. */
export function takesLong(route: Route): boolean {
  return route.waits === true || isSentForLong(route)
}

export function answer<Status extends number>(status: Status): Answer<Status, never>
export function answer<Status extends number, Body>(
  status: Status,
  body: Body,
  headers?: Readonly<Record<string, string>>,
): Answer<Status, Body>
export function answer(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) }
}

export function streamAnswer(stream: Readable, headers: Readonly<Record<string, string>>): Answer<200> {
  return { status: 200, body: stream, headers }
}

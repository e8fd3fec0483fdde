import { type RequestPart, pathOf as statedPathOf, UnusableParameter } from '@signalbox/contracts/http/requests'
import type { AnswerShape, Route } from '@signalbox/contracts/http/routes'
import { CommandFailed } from '../errors.ts'
import { AnswerNotUnderstood } from './shape.ts'

/** A body as a person wrote it: the control plane names its faults. */
export interface RawBody {
  readonly contentType: string
  readonly text: string
}

interface Further {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The parts of a request, whichever route it is for. */
export interface Parts extends Further {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  /** Sent as it is instead of `body`. */
  readonly raw?: RawBody
}

/** The parts that the statement of a route names. */
export type RequestOf<O> = RequestPart<O, 'params'> &
  RequestPart<O, 'query'> &
  (RequestPart<O, 'body'> | { readonly raw: RawBody }) &
  Further

/** The parts of a call as arguments: a route that needs nothing takes none. */
export type ArgumentsOf<O> =
  Partial<RequestOf<O>> extends RequestOf<O> ? [request?: RequestOf<O>] : [request: RequestOf<O>]

interface Limit {
  /** How many items at most; all of them unless given. */
  readonly limit?: number
}

/** The parts of a list, whichever it is. */
export type ListParts = Pick<Parts, 'params' | 'query'> & Limit

/** The parts of a list as arguments. */
export type ListArgumentsOf<O, Request = RequestPart<O, 'params'> & RequestPart<O, 'query'> & Limit> =
  Partial<Request> extends Request ? [request?: Request] : [request: Request]

/** As contracts' `pathOf`. Throws CommandFailed for a parameter that can be no part of an address. */
export function pathOf(route: Route, params: unknown): string {
  try {
    return statedPathOf(route, params)
  } catch (error) {
    if (error instanceof UnusableParameter) throw new CommandFailed('usage', error.message)
    throw error
  }
}

/** Throws AnswerNotUnderstood where a body is not of the kind that the route states. The fields of the body are not checked. */
export function checkKind(route: Route, body: unknown): void {
  const shapes = Object.values(route.answers)
  if (shapes.some((shape) => isOfKind(shape, body))) return
  throw new AnswerNotUnderstood(`${nameOf(route)} is not ${shapes.some(Array.isArray) ? 'a list' : 'an object'}`)
}

/** How a message names what a route answered. */
export function nameOf({ method, path }: Route): string {
  return `the answer to ${method} ${path}`
}

function isOfKind(shape: AnswerShape, body: unknown): boolean {
  if (shape === 'empty' || shape === 'stream' || shape === 'text') return true
  if (typeof shape !== 'string') return Array.isArray(body)
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

/** A document that a person wrote, as JSON. */
export function rawJson(document: unknown): RawBody {
  return { contentType: 'application/json', text: JSON.stringify(document) }
}

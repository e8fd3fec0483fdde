import type { AnswerShape, PartOf, Route, SuccessOf } from '@signalbox/contracts/http/routes'
import { CommandFailed } from '../errors.ts'
import { AnswerNotUnderstood } from './shape.ts'

/** A T as it may be sent: an optional field may be undefined as well, and a list may be readonly. */
export type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? {
        readonly [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? Sendable<T[K]> | undefined : Sendable<T[K]>
      }
    : T

/** The body of a stated route, as a command gives it. */
export type BodyOf<O> = Sendable<PartOf<O, 'body'>>

/** One item of the list that a stated route answers. */
export type ItemOf<O> = SuccessOf<O> extends readonly (infer Item)[] ? Item : never

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

type Part<O, Name extends 'params' | 'query' | 'body', Value = Sendable<PartOf<O, Name>>> = undefined extends Value
  ? { readonly [N in Name]?: undefined }
  : Partial<Value> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }

/** The parts that the statement of a route names. */
export type RequestOf<O> = Part<O, 'params'> &
  Part<O, 'query'> &
  (Part<O, 'body'> | { readonly raw: RawBody }) &
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
export type ListArgumentsOf<O, Request = Part<O, 'params'> & Part<O, 'query'> & Limit> =
  Partial<Request> extends Request ? [request?: Request] : [request: Request]

/** The path of a route with its parameters: ids, and identifiers such as acme/web/build, which hold slashes. */
export function pathOf(route: Route, params: unknown): string {
  const values = new Map(entriesOf(params))
  return route.path.replace(/:(\w+)/g, (_, name: string) => segmentOf(String(values.get(name) ?? '')))
}

/** Throws CommandFailed for a value that would make an address another one: fetch resolves dots, encoded ones too. */
function segmentOf(value: string): string {
  if (value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  throw new CommandFailed('usage', `"${value}" is neither a name nor an id.`)
}

/** The fields of an object; empty for other values. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
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

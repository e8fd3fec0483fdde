import { nextLink } from '@signalbox/contracts/http/links'
import { entriesOf, pathOf, type RequestPart } from '@signalbox/contracts/http/requests'
import type { Operation, SuccessOf } from '@signalbox/contracts/http/routes'
import { awayBy } from './away.ts'
import { connection } from './connection.ts'
import { inTurn } from './last-calls.ts'
import { pageUserId } from './page-user.ts'
import { backgroundHeader } from './presence.ts'
import { ApiProblem, Unreachable } from './problem.ts'

/** A body as a person wrote it: the control plane names its faults. */
export interface RawBody {
  readonly contentType: string
  readonly text: string
}

interface Further {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Of the document that is changed, as it was when the person began. */
  readonly ifMatch?: string | undefined
  /** The same for each repetition of one write. */
  readonly idempotencyKey?: string
}

export type RequestOf<O> = RequestPart<O, 'params'> &
  RequestPart<O, 'query'> &
  (RequestPart<O, 'body'> | { readonly raw: RawBody }) &
  Further

/** The parts of a call as arguments: a route that needs nothing takes none. */
export type ArgumentsOf<O> =
  Partial<RequestOf<O>> extends RequestOf<O> ? [request?: RequestOf<O>] : [request: RequestOf<O>]

export interface Parts extends Further {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly raw?: RawBody
  /** Who asks is asked for: the answer may be of somebody else than this page was opened for. */
  readonly isForAnybody?: boolean
  /** It was sent before, by whoever was there first. */
  readonly begun?: Promise<Response> | undefined
  /** It ends the session: all others are answered before, or wait. */
  readonly isLast?: boolean
}

export interface Answer<Body = unknown> {
  readonly status: number
  readonly body: Body
  readonly etag: string | undefined
  /** The address of the next page of a list. */
  readonly next: string | undefined
}

const TIMEOUT_MS = 30_000

/** Calls a stated route and answers the body of its success. Throws ApiProblem and Unreachable. */
export async function call<O extends Operation>(operation: O, ...[request]: ArgumentsOf<O>): Promise<SuccessOf<O>>
export async function call(operation: Operation, request: Parts = {}): Promise<unknown> {
  return (await exchange(operation, request)).body
}

/** Like `call`, with the ETag and the address of the next page. */
export async function exchange<O extends Operation>(operation: O, parts: Parts): Promise<Answer<SuccessOf<O>>>
export async function exchange(operation: Operation, parts: Parts): Promise<Answer> {
  const ask = () => send(operation.method, addressOf(operation, parts), parts)
  return parts.isLast ? ask() : inTurn(ask)
}

/** The page of a list that a Link header named. */
export async function follow<O extends Operation>(
  _operation: O,
  next: string,
  signal?: AbortSignal,
): Promise<Answer<SuccessOf<O>>>
export async function follow(_operation: Operation, next: string, signal?: AbortSignal): Promise<Answer> {
  const address = new URL(next, location.origin)
  const path = address.pathname.slice(address.pathname.indexOf('/v1/'))
  return inTurn(() => send('GET', `${fromHere(path)}${address.search}`, signal ? { signal } : {}))
}

/** The address of a stated route, for a link, a download or a stream. */
export function addressOf(operation: Operation, { params, query }: Pick<Parts, 'params' | 'query'>): string {
  const search = new URLSearchParams()
  for (const [name, value] of entriesOf(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== '') search.append(name, String(each))
    }
  }
  const text = search.toString()
  return `${fromHere(pathOf(operation, params))}${text === '' ? '' : `?${text}`}`
}

/** The page may be served below a path; the API then is, too. */
function fromHere(path: string): string {
  return new URL(`.${path}`, document.baseURI).pathname
}

async function send(method: string, address: string, parts: Parts): Promise<Answer> {
  const content = contentOf(parts)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = parts.signal ? AbortSignal.any([timeout, parts.signal]) : timeout
  const { signIns } = connection
  let response: Response
  let text: string
  try {
    response = await (parts.begun ??
      fetch(address, {
        method,
        headers: {
          accept: 'application/json',
          ...content.headers,
          ...conditionsOf(parts),
          ...userOf(parts),
          ...backgroundHeader(),
          ...parts.headers,
        },
        signal,
        credentials: 'same-origin',
        redirect: 'error',
        ...(content.body === undefined ? {} : { body: content.body }),
      }))
    text = await response.text()
    // What was begun does not hear of it.
    parts.signal?.throwIfAborted()
  } catch (error) {
    if (parts.signal?.aborted) throw error
    connection.lost('server')
    throw new Unreachable('The control plane does not answer.', { cause: error })
  }
  const body = parse(text)
  const problem = response.ok ? undefined : new ApiProblem(response.status, body, response.headers)
  noteState(problem, parts, signIns)
  if (problem) throw problem
  return {
    status: response.status,
    body,
    etag: response.headers.get('etag') ?? undefined,
    next: nextLink(response.headers.get('link')),
  }
}

/** What an answer says of the connection itself. */
function noteState(problem: ApiProblem | undefined, { headers }: Parts, signIns: number): void {
  const away = problem && awayBy(problem)
  if (away !== undefined) return connection.lost(away)
  connection.reached()
  if (problem?.status === 401 && headers?.['authorization'] === undefined) connection.signedOut(signIns)
  if (problem?.code === 'other_user') connection.otherUser()
}

/** The server refuses what is asked for somebody who is not signed in any more. */
function userOf({ isForAnybody }: Parts): Record<string, string> {
  const id = isForAnybody ? undefined : pageUserId()
  return id === undefined ? {} : { 'signalbox-user': id }
}

function contentOf(parts: Parts): { headers: Record<string, string>; body?: string } {
  if (parts.raw) return { headers: { 'content-type': parts.raw.contentType }, body: parts.raw.text }
  if (parts.body === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(parts.body) }
}

function conditionsOf({ ifMatch, idempotencyKey }: Parts): Record<string, string> {
  return {
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

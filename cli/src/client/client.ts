import { setTimeout as wait } from 'node:timers/promises'
import { nextLink } from '@signalbox/contracts/http/links'
import { entriesOf, type ItemOf } from '@signalbox/contracts/http/requests'
import type { Operation, SuccessOf } from '@signalbox/contracts/http/routes'
import { type EventSourceOptions, openEvents, type StreamedEvent } from './events.ts'
import {
  type ArgumentsOf,
  checkKind,
  type ListArgumentsOf,
  type ListParts,
  type Parts,
  pathOf,
  type RequestOf,
} from './operations.ts'
import { ApiProblem, Unreachable, whyUnreachable } from './problem.ts'
import { object, text } from './shape.ts'

export interface ClientOptions {
  /** Address of the control plane, such as http://127.0.0.1:8080. */
  readonly url: string
  readonly token: string | undefined
  /** For one request; default 30 s. */
  readonly timeoutMs?: number
  /** How often a GET is tried again when the control plane is away for a moment; default 4. */
  readonly retries?: number
  readonly signal?: AbortSignal
}

export interface Answer<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or the text where it is none; undefined for an empty body. */
  readonly body: Body
}

/** The first items of a list, and whether there are more than these. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly more: boolean
}

type Sent = Omit<Parts, 'params'>

const apiDocument = object({ info: object({ version: text }) })

const TRY_AGAIN = new Set([429, 502, 503, 504])
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** The public API. Throws ApiProblem for an answer that is no success, Unreachable for none at all. */
export class Client {
  readonly url: string
  /** The latest answer of each route. */
  readonly answers = new Map<Operation, unknown>()
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
  }

  /** Calls a stated route and answers the body of its success. */
  async call<O extends Operation>(operation: O, ...[request]: ArgumentsOf<O>): Promise<SuccessOf<O>>
  async call(operation: Operation, request: Parts = {}): Promise<unknown> {
    return (await this.exchange(operation, request)).body
  }

  /** Like `call`; undefined for an answer of 404. */
  async find<O extends Operation>(operation: O, ...[request]: ArgumentsOf<O>): Promise<SuccessOf<O> | undefined>
  async find(operation: Operation, request: Parts = {}): Promise<unknown> {
    try {
      return (await this.exchange(operation, request)).body
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return undefined
      throw error
    }
  }

  /** Like `call`, with status and headers. The compiler does not check the parts here: `call` does that. */
  async exchange<O extends Operation>(operation: O, parts: Parts): Promise<Answer<SuccessOf<O>>>
  async exchange(operation: Operation, { params, ...options }: Parts): Promise<Answer> {
    return this.#ask(operation, pathOf(operation, params), options)
  }

  /** The items of a stated list, over as many pages as that takes. */
  async list<O extends Operation>(operation: O, ...[request]: ListArgumentsOf<O>): Promise<readonly ItemOf<O>[]>
  async list(operation: Operation, request: ListParts = {}): Promise<readonly unknown[]> {
    return (await this.page(operation, request)).items
  }

  /** One page of a list, and whether more follow. The compiler does not check the parts here: `list` does that. */
  async page<O extends Operation>(operation: O, parts: ListParts): Promise<Page<ItemOf<O>>>
  async page(
    operation: Operation,
    { params, query, limit = Number.MAX_SAFE_INTEGER }: ListParts,
  ): Promise<Page<unknown>> {
    const items: unknown[] = []
    let next: string | undefined = pathOf(operation, params)
    let options: Sent = { query: { ...Object.fromEntries(entriesOf(query)), limit: Math.min(limit, 500) } }
    while (next !== undefined && items.length < limit) {
      const { body, headers }: Answer = await this.#ask(operation, next, options)
      if (Array.isArray(body)) items.push(...body)
      next = nextLink(headers.get('link'))
      // The link holds the query.
      options = {}
    }
    return { items: items.slice(0, limit), more: next !== undefined || items.length > limit }
  }

  /** The version that the control plane says it has; undefined where it does not say. */
  async findVersion(): Promise<string | undefined> {
    try {
      const { body } = await this.#once('GET', '/v1/openapi.json', {})
      return apiDocument(body, 'document').info.version
    } catch {
      return undefined
    }
  }

  /** Server-sent events, across reconnections, until the server ends the stream or `signal` aborts. */
  events<O extends Operation>(
    operation: O,
    { params, query }: RequestOf<O>,
    options: EventSourceOptions = {},
  ): AsyncGenerator<StreamedEvent> {
    const address = this.#address(pathOf(operation, params), query)
    return openEvents({ address, headers: this.#headers() }, options)
  }

  /**
   * The bytes that a route answers, from byte `from` on, as they come. A server that does not know ranges answers 200,
   * and all of them. There is no limit of time; `signal` ends the reading.
   */
  async bytes<O extends Operation>(
    operation: O,
    { params, query, signal, from = 0 }: RequestOf<O> & { readonly from?: number },
  ): Promise<Response> {
    const address = this.#address(pathOf(operation, params), query)
    const range = from === 0 ? {} : { range: `bytes=${from}-` }
    const headers = { ...this.#headers(), ...range }
    let response: Response
    try {
      response = await fetch(address, { headers, redirect: 'error', ...signalOption(signal) })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new Unreachable(`${this.url} cannot be reached: ${whyUnreachable(error, false)}.`, { cause: error })
    }
    if (response.status >= 400) throw new ApiProblem(response.status, parseBody(await response.text()))
    return response
  }

  /**
   * Sends a text and answers what comes, whatever its status, to be read as it comes. There is no limit of time; `signal`
   * ends it. Throws Unreachable.
   */
  async post(
    { method, path }: Operation,
    body: string,
    { headers = {}, signal }: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
  ): Promise<Response> {
    try {
      return await fetch(this.#address(path), {
        method,
        headers: { 'content-type': 'application/json', ...headers, ...this.#headers() },
        body,
        redirect: 'error',
        ...signalOption(signal),
      })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new Unreachable(`${this.url} cannot be reached: ${whyUnreachable(error, false)}.`, { cause: error })
    }
  }

  async #ask(operation: Operation, path: string, options: Sent): Promise<Answer> {
    const answer = await this.#request(operation.method, path, options)
    checkKind(operation, answer.body)
    this.answers.set(operation, answer.body)
    return answer
  }

  /** One request; a GET is repeated while the control plane is away, as long as Retry-After says or a growing pause. */
  async #request(method: string, path: string, options: Sent): Promise<Answer> {
    const retries = method === 'GET' ? (this.#options.retries ?? 4) : 0
    for (let failures = 0; ; failures += 1) {
      const result = await this.#once(method, path, options).catch((error: unknown) => {
        if (error instanceof Unreachable && failures < retries) return undefined
        throw error
      })
      if (result && result.status < 400) return result
      if (result && (failures >= retries || !TRY_AGAIN.has(result.status))) {
        throw new ApiProblem(result.status, result.body)
      }
      const asked = Number(result?.headers.get('retry-after') ?? Number.NaN) * 1000
      const pause = Number.isFinite(asked) ? asked : FIRST_PAUSE_MS * 2 ** failures
      await wait(Math.min(pause, LONGEST_PAUSE_MS), undefined, signalOption(options.signal ?? this.#options.signal))
    }
  }

  async #once(method: string, path: string, options: Sent): Promise<Answer> {
    const address = this.#address(path, options.query)
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? 30_000)
    const outer = options.signal ?? this.#options.signal
    const signal = outer ? AbortSignal.any([timeout, outer]) : timeout
    const content = contentOf(options)
    try {
      const response = await fetch(address, {
        method,
        headers: { accept: 'application/json', ...options.headers, ...this.#headers(), ...content.headers },
        signal,
        redirect: 'error',
        ...(content.body === undefined ? {} : { body: content.body }),
      })
      return { status: response.status, headers: response.headers, body: parseBody(await response.text()) }
    } catch (error) {
      if (outer?.aborted) throw error
      throw new Unreachable(`${this.url} cannot be reached: ${whyUnreachable(error, timeout.aborted)}.`, {
        cause: error,
      })
    }
  }

  #address(path: string, query?: unknown): URL {
    const address = new URL(path, `${this.url}/`)
    for (const [name, value] of entriesOf(query)) {
      // Several values of one parameter are said one after the other.
      for (const one of [value].flat()) if (one !== undefined) address.searchParams.append(name, String(one))
    }
    // A Link header may not send the token elsewhere.
    if (address.origin !== new URL(this.url).origin) throw new Unreachable(`${address.origin} is not ${this.url}.`)
    return address
  }

  #headers(): Record<string, string> {
    return this.#options.token === undefined ? {} : { authorization: `Bearer ${this.#options.token}` }
  }
}

function contentOf(options: Sent): { headers: Record<string, string>; body?: string } {
  if (options.raw) return { headers: { 'content-type': options.raw.contentType }, body: options.raw.text }
  if (options.body === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(options.body) }
}

function parseBody(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function signalOption(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}

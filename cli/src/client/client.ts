import { setTimeout as wait } from 'node:timers/promises'
import { type EventSourceOptions, openEvents, type StreamedEvent } from './events.ts'
import { nextLink } from './links.ts'
import { ApiProblem, Unreachable, whyUnreachable } from './problem.ts'
import { list, type Shape } from './shape.ts'

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

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or the text where it is none; undefined for an empty body. */
  readonly body: unknown
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is, with this content type, instead of `body` as JSON. */
  readonly raw?: { readonly contentType: string; readonly text: string }
  readonly signal?: AbortSignal
}

const TRY_AGAIN = new Set([429, 502, 503, 504])
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** The public API. Throws ApiProblem for an answer that is no success, Unreachable for none at all. */
export class Client {
  readonly url: string
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
  }

  async get<T>(path: string, shape: Shape<T>, options: RequestOptions = {}): Promise<T> {
    return shape((await this.request('GET', path, options)).body, 'answer')
  }

  async post<T>(path: string, shape: Shape<T>, options: RequestOptions = {}): Promise<T> {
    return shape((await this.request('POST', path, options)).body, 'answer')
  }

  /** The first `limit` items of a list, over as many pages as that takes. */
  async list<T>(path: string, shape: Shape<T>, limit: number, options: RequestOptions = {}): Promise<T[]> {
    return (await this.listUpTo(path, shape, limit, options)).items
  }

  /** The same, and whether there are more than these. */
  async listUpTo<T>(
    path: string,
    shape: Shape<T>,
    limit: number,
    options: RequestOptions = {},
  ): Promise<{ readonly items: T[]; readonly more: boolean }> {
    const items: T[] = []
    let query: RequestOptions['query'] = { ...options.query, limit: Math.min(limit, 500) }
    let next: string | undefined = path
    while (next !== undefined && items.length < limit) {
      const answer: Answer = await this.request('GET', next, { ...options, ...(query ? { query } : {}) })
      items.push(...list(shape)(answer.body, 'answer'))
      next = nextLink(answer.headers.get('link'))
      query = undefined
    }
    return { items: items.slice(0, limit), more: next !== undefined || items.length > limit }
  }

  /** Server-sent events from `path`, across reconnections, until the server ends the stream or `signal` aborts. */
  events(path: string, options: EventSourceOptions = {}): AsyncGenerator<StreamedEvent> {
    return openEvents({ address: this.#address(path), headers: this.#headers() }, options)
  }

  /**
   * The bytes of `path` from byte `from` on, as they come. A server that does not know ranges answers 200, and all of
   * them. No limit of time: whoever reads may end it by `signal`.
   */
  async bytes(path: string, from: number, signal?: AbortSignal): Promise<Response> {
    const range = from === 0 ? {} : { range: `bytes=${from}-` }
    const headers = { ...this.#headers(), ...range }
    let response: Response
    try {
      response = await fetch(this.#address(path), { headers, redirect: 'error', ...signalOption(signal) })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new Unreachable(`${this.url} cannot be reached: ${whyUnreachable(error, false)}.`, { cause: error })
    }
    if (response.status >= 400) throw new ApiProblem(response.status, parseBody(await response.text()))
    return response
  }

  /** One request; a GET is repeated while the control plane is away, as long as Retry-After says or a growing pause. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
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

  async #once(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const address = this.#address(path)
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) address.searchParams.set(name, String(value))
    }
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

  #address(path: string): URL {
    const address = new URL(path, `${this.url}/`)
    // A Link header may not send the token elsewhere.
    if (address.origin !== new URL(this.url).origin) throw new Unreachable(`${address.origin} is not ${this.url}.`)
    return address
  }

  #headers(): Record<string, string> {
    return this.#options.token === undefined ? {} : { authorization: `Bearer ${this.#options.token}` }
  }
}

function contentOf(options: RequestOptions): { headers: Record<string, string>; body?: string } {
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

/** A path segment: ids, and identifiers such as acme/web/build, which hold slashes. */
export function segment(idOrIdentifier: string): string {
  return encodeURIComponent(idOrIdentifier)
}

import { Buffer } from 'node:buffer'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { describeError, systemCode } from '../../../errors.ts'
import type { Time } from '../../../time/index.ts'
import type { EngineAddress } from './address.ts'
import { EngineError } from './errors.ts'
import { parseJson, textAt } from './read.ts'

export interface Call {
  query?: Readonly<Record<string, string>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Milliseconds until the whole answer must be here; undefined: for as long as it takes. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

type Method = 'GET' | 'POST' | 'DELETE'

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'it broke the connection',
  EPIPE: 'it broke the connection',
  EACCES: "the runner's user may not open the socket",
  EPERM: "the runner's user may not open the socket",
  ENOTFOUND: 'there is no such host',
}

// More than this of an answer that is kept whole is no answer.
const ANSWER_LIMIT = 16 * 1024 * 1024

/**
 * Speaks HTTP with a container engine: to a socket or a port of this machine, each call on a connection of its own.
 * Every failure is an `EngineError`.
 */
export class EngineClient {
  readonly address: EngineAddress
  readonly #time: Time
  readonly #prefix: string

  /** `version`: of the API, as `1.41`; empty: whichever the engine likes. */
  constructor(address: EngineAddress, time: Time, version = '') {
    this.address = address
    this.#time = time
    this.#prefix = version === '' ? '' : `/v${version}`
  }

  /** An answer as a whole. Refusals (4xx, 5xx) are thrown, with the engine's own sentence. */
  async call(method: Method, path: string, call: Call = {}): Promise<Answer> {
    const timer = new AbortController()
    const limit = call.timeoutMs
    const clock = limit === undefined ? undefined : this.#time.after(limit, () => timer.abort())
    const signals = [timer.signal, ...(call.signal === undefined ? [] : [call.signal])]
    try {
      const message = await this.stream(method, path, { ...call, signal: AbortSignal.any(signals) })
      return { status: message.statusCode ?? 0, headers: message.headers, body: await readWhole(message) }
    } catch (error) {
      if (timer.signal.aborted) throw this.#unreachable(`not within ${(limit ?? 0) / 1000} s`)
      throw this.#failure(error)
    } finally {
      clock?.stop()
    }
  }

  /** An answer that is read as it comes; there is no limit of time. Refusals are thrown. */
  async stream(method: Method, path: string, call: Call = {}): Promise<IncomingMessage> {
    const outgoing = this.#open(method, path, call)
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve)
      outgoing.on('error', reject)
      outgoing.end(call.body === undefined ? undefined : JSON.stringify(call.body))
    }).catch((error: unknown) => {
      throw this.#failure(error)
    })
    if ((message.statusCode ?? 0) < 400) return message
    throw await this.#refusal(message)
  }

  /** The lines of an answer, as they come. */
  async *lines(method: Method, path: string, call: Call): AsyncGenerator<string> {
    const message = (await this.stream(method, path, call)).setEncoding('utf8')
    let rest = ''
    try {
      for await (const part of message) {
        const lines = `${rest}${part}`.split('\n')
        rest = lines.pop() ?? ''
        yield* lines.filter((line) => line.trim() !== '')
      }
    } catch (error) {
      throw this.#failure(error)
    }
    if (rest.trim() !== '') yield rest
  }

  /** Takes over the connection, for bytes in both directions. `head` came with the answer. */
  async hijack(path: string, call: Call = {}): Promise<{ socket: Duplex; head: Buffer }> {
    const headers = { Connection: 'Upgrade', Upgrade: 'tcp' }
    const outgoing = this.#open('POST', path, { ...call, headers })
    const opened = new Promise<{ socket: Duplex; head: Buffer }>((resolve, reject) => {
      outgoing.on('upgrade', (_message, socket, head) => resolve({ socket, head }))
      outgoing.on('response', (message) => {
        if ((message.statusCode ?? 0) < 400) {
          message.destroy()
          reject(new EngineError({ kind: 'refused', status: 200 }, 'it does not hand over output'))
        } else this.#refusal(message).then(reject, reject)
      })
      outgoing.on('error', reject)
      outgoing.end()
    })
    return await opened.catch((error: unknown) => {
      throw this.#failure(error)
    })
  }

  #open(method: Method, path: string, { query = {}, body, headers = {}, signal }: Call): ClientRequest {
    const search = new URLSearchParams(query).toString()
    const { address } = this
    return request({
      ...(address.kind === 'unix' ? { socketPath: address.path } : { host: address.host, port: address.port }),
      method,
      path: `${this.#prefix}${path}${search === '' ? '' : `?${search}`}`,
      headers: { Host: 'engine', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      agent: false,
      ...(signal === undefined ? {} : { signal }),
    })
  }

  /** The engine's refusal, read from its answer. */
  async #refusal(message: IncomingMessage): Promise<EngineError> {
    const status = message.statusCode ?? 0
    const body = await readWhole(message).catch((error: unknown) => {
      throw this.#failure(error)
    })
    const reason = textAt(parseJson(body), 'message') ?? body.trim()
    return new EngineError({ kind: 'refused', status }, reason.replace(/[.\s]+$/, '') || `it answered ${status}`)
  }

  #failure(error: unknown): EngineError {
    if (error instanceof EngineError) return error
    if (error instanceof Error && error.name === 'AbortError') {
      return new EngineError({ kind: 'stopped' }, 'the call was given up', { cause: error })
    }
    return this.#unreachable(SENTENCES[systemCode(error) ?? ''] ?? describeError(error), error)
  }

  #unreachable(why: string, cause?: unknown): EngineError {
    const message = `The container engine at ${this.address.text} did not answer: ${why}`
    return new EngineError({ kind: 'unreachable' }, message, { cause })
  }
}

async function readWhole(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of message) {
    const bytes = Buffer.isBuffer(part) ? part : Buffer.from(String(part))
    length += bytes.length
    if (length > ANSWER_LIMIT) throw new Error('its answer has no end')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

import { ApiProblem, Unreachable } from '../client/problem.ts'
import { messageOf } from '../errors.ts'
import { errorOf, fieldsOf, headersOf, type Message, readMessages } from './message.ts'
import { readAnswer } from './read-answer.ts'

const PARSE_ERROR = -32_700
/** Own codes lie outside the range that JSON-RPC keeps: the status of HTTP, and 503 where nobody answered. */
const AWAY = 503
/** The longest that a tool waits is 45 s. */
const LAST_ANSWERS_MS = 60_000
/** These end when the client does, and not before. */
const LISTENS = 'subscriptions/listen'

export interface BridgeEnds {
  /** Messages of the client, one a line. */
  readonly lines: AsyncIterable<string>
  /** Writes one message to the client. */
  write(message: string): void
  /** Posts one message to the endpoint. Throws Unreachable. */
  post(message: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>
}

/**
 * Hands on messages between a client that speaks over stdio and the endpoint, both ways, many at once. Each request gets
 * exactly one answer, whatever happens to the endpoint; nothing else is written. Ends with the client.
 */
export async function bridge(ends: BridgeEnds): Promise<void> {
  const pipe = new Bridge(ends)
  try {
    for await (const line of ends.lines) {
      if (line.trim() !== '') pipe.take(line.trim())
    }
  } finally {
    await pipe.settle()
  }
}

class Bridge {
  readonly #ends: BridgeEnds
  readonly #inFlight = new Map<
    AbortController,
    { readonly message: readonly Message[]; readonly done: Promise<void> }
  >()
  /** The version that a client of an older revision agreed on. */
  #negotiated: string | undefined

  constructor(ends: BridgeEnds) {
    this.#ends = ends
  }

  /** Starts what one line asks for. */
  take(line: string): void {
    const messages = readMessages(line)
    if (!messages) return this.#ends.write(errorOf(null, PARSE_ERROR, 'Parse error: each line is one message of JSON.'))
    const canceled = messages.length === 1 ? canceledBy(messages[0]) : undefined
    if (canceled !== undefined) return this.#cancel(canceled)
    const ended = new AbortController()
    const done = this.#exchange(line, messages, ended.signal).finally(() => this.#inFlight.delete(ended))
    this.#inFlight.set(ended, { message: messages, done })
  }

  /** Waits for the answers that are on their way; what only listens ends at once. */
  async settle(): Promise<void> {
    for (const [ended, { message }] of this.#inFlight)
      if (message.some(({ method }) => method === LISTENS)) ended.abort()
    const late = setTimeout(() => {
      for (const ended of this.#inFlight.keys()) ended.abort()
    }, LAST_ANSWERS_MS)
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done))
    clearTimeout(late)
  }

  /** A request that is canceled gets no answer. Over HTTP the end of the connection says so, and needs no message. */
  #cancel(id: string | number): void {
    for (const [ended, { message }] of this.#inFlight) if (message.some((each) => each.id === id)) ended.abort()
  }

  async #exchange(line: string, messages: readonly Message[], signal: AbortSignal): Promise<void> {
    const unanswered = new Set(messages.flatMap(({ id }) => id ?? []))
    const fail = (code: number, message: string, data?: object): void => {
      for (const id of unanswered) this.#ends.write(errorOf(id, code, message, data))
      unanswered.clear()
    }
    try {
      const response = await this.#ends.post(line, headersOf(messages, this.#negotiated), signal)
      for await (const each of readAnswer(response)) {
        if (signal.aborted) return
        const answer = addressed(each, unanswered)
        for (const id of answeredBy(answer)) unanswered.delete(id)
        if (messages.some(({ method }) => method === 'initialize')) this.#negotiated = versionIn(answer)
        this.#ends.write(answer)
      }
      if (!signal.aborted) fail(AWAY, 'The connection ended before the answer. Send the request again.')
    } catch (error) {
      if (signal.aborted) return
      const { code, message, data } = describe(error)
      fail(code, message, data)
    }
  }
}

function canceledBy(message: Message | undefined): string | number | undefined {
  const id = message?.method === 'notifications/cancelled' ? message.params.get('requestId') : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** A refusal of a message as a whole names no request: a client would wait for ever for the answer to its own. */
function addressed(answer: string, unanswered: ReadonlySet<string | number>): string {
  const [id, ...others] = unanswered
  if (id === undefined || others.length > 0) return answer
  const fields = fieldsOf(JSON.parse(answer))
  const isForNobody = fields.has('error') && (fields.get('id') ?? null) === null
  return isForNobody ? JSON.stringify({ ...Object.fromEntries(fields), id }) : answer
}

function answeredBy(answer: string): readonly (string | number)[] {
  const document: unknown = JSON.parse(answer)
  const items: readonly unknown[] = Array.isArray(document) ? document : [document]
  return items.flatMap((item) => {
    const fields = fieldsOf(item)
    const id = fields.get('id')
    return !fields.has('method') && (typeof id === 'string' || typeof id === 'number') ? [id] : []
  })
}

function versionIn(answer: string): string | undefined {
  const version = fieldsOf(fieldsOf(JSON.parse(answer)).get('result')).get('protocolVersion')
  return typeof version === 'string' ? version : undefined
}

interface Told {
  readonly code: number
  readonly message: string
  readonly data?: object
}

/** What went wrong between the bridge and the endpoint, and what to do. */
function describe(error: unknown): Told {
  if (error instanceof ApiProblem) {
    const { status, code, message, requestId } = error
    return { code: status, message: `${message}${remedyOf(status)}`, data: { status, code, request_id: requestId } }
  }
  if (error instanceof Unreachable) {
    const remedy = 'Start it with `signalbox up`, or look for the reason with `signalbox doctor`; then send it again.'
    return { code: AWAY, message: `${error.message} ${remedy}` }
  }
  return { code: AWAY, message: `The connection failed: ${messageOf(error)}. Send the request again.` }
}

function remedyOf(status: number): string {
  if (status === 401) return ' Sign in with `signalbox login`, or set SIGNALBOX_TOKEN to a token that is valid.'
  return status === 429 || status >= 500 ? ' Send the request again in a moment.' : ''
}

import { setTimeout as wait } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { ApiProblem, Unreachable, whyUnreachable } from './problem.ts'

export interface StreamedEvent {
  /** `message` where the server names none. */
  readonly event: string
  readonly id: string | undefined
  /** Parsed JSON, or the text where it is none. */
  readonly data: unknown
}

export interface EventSourceOptions {
  readonly signal?: AbortSignal
  /** Where to go on; then the last id that was received. */
  readonly lastEventId?: string
  /** The name of the event after which the stream is over, so that its end is not taken for a broken connection. */
  readonly endsWith?: string
  /** How often a stream that broke is opened again without an event in between; default 30. */
  readonly retries?: number
}

interface Source {
  readonly address: URL
  readonly headers: Readonly<Record<string, string>>
}

/** A server that is silent for so long (it pings each 15 s) is taken for gone. */
const SILENCE_MS = 45_000
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000

/**
 * Reads server-sent events (WHATWG HTML, section 9.2). A broken connection is opened again with Last-Event-ID.
 * Without `endsWith` a stream that the server closes is over; with it only that event ends it.
 */
export async function* openEvents(source: Source, options: EventSourceOptions): AsyncGenerator<StreamedEvent> {
  let lastEventId = options.lastEventId
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const event of readOnce(source, lastEventId, options.signal)) {
        failures = 0
        lastEventId = event.id ?? lastEventId
        yield event
        if (event.event === options.endsWith) return
      }
      if (options.endsWith === undefined) return
    } catch (error) {
      if (options.signal?.aborted) return
      const final = error instanceof ApiProblem && error.status < 500 && error.status !== 429
      if (final || failures >= (options.retries ?? 30)) throw error
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    await wait(pause, undefined, options.signal ? { signal: options.signal } : {}).catch(() => undefined)
    if (options.signal?.aborted) return
  }
}

async function* readOnce(
  source: Source,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamedEvent> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE_MS)
  const signals = signal ? [silence.signal, signal] : [silence.signal]
  try {
    const response = await fetch(source.address, {
      headers: {
        ...source.headers,
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal: AbortSignal.any(signals),
      redirect: 'error',
    })
    if (!response.ok) throw new ApiProblem(response.status, parseData(await response.text()))
    if (!response.body) return
    const waiting: StreamedEvent[] = []
    const parser = createParser({
      onEvent: ({ event, id, data }) => waiting.push({ event: event ?? 'message', id, data: parseData(data) }),
    })
    const decoder = new TextDecoder()
    for await (const chunk of response.body) {
      timer.refresh()
      parser.feed(decoder.decode(chunk, { stream: true }))
      yield* waiting.splice(0)
    }
  } catch (error) {
    if (error instanceof ApiProblem || signal?.aborted) throw error
    const why = whyUnreachable(error, silence.signal.aborted)
    throw new Unreachable(`The stream of ${source.address.origin} broke: ${why}.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

function parseData(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}

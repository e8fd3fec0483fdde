import { Readable } from 'node:stream'
import type { Clock } from '#platform/time'

/** One server-sent event (WHATWG HTML, section 9.2). `data` is sent as one line of JSON. */
export interface ServerEvent {
  readonly event?: string
  readonly id?: string
  readonly data: unknown
}

export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // nginx would hold events back until its buffer is full.
  'x-accel-buffering': 'no',
}

const PING_MS = 15_000

export interface EventStreamOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Writes what `events` yields, with a comment each 15 s of silence. A slow client holds the generator back
 * (one event at a time is asked for), so nothing queues in memory.
 */
export function eventStream(events: AsyncIterable<ServerEvent>, options: EventStreamOptions): Readable {
  return Readable.from(frames(events, options), { objectMode: false, highWaterMark: 16 * 1024 })
}

async function* frames(events: AsyncIterable<ServerEvent>, options: EventStreamOptions): AsyncGenerator<string> {
  yield 'retry: 3000\n\n'
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    while (!options.signal.aborted) {
      const waiting = new AbortController()
      const aborted = (): void => waiting.abort()
      options.signal.addEventListener('abort', aborted, { once: true })
      const result = await Promise.race([next, options.clock.sleep(PING_MS, waiting.signal)])
      waiting.abort()
      options.signal.removeEventListener('abort', aborted)
      if (!result) {
        yield ': ping\n\n'
        continue
      }
      if (result.done) return
      yield frame(result.value)
      next = iterator.next()
    }
  } finally {
    next.catch(() => undefined)
    await iterator.return?.(undefined)
  }
}

function frame(event: ServerEvent): string {
  const head = (event.event ? `event: ${event.event}\n` : '') + (event.id ? `id: ${event.id}\n` : '')
  return `${head}data: ${JSON.stringify(event.data)}\n\n`
}

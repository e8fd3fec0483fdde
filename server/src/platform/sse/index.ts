import { Readable } from 'node:stream'
import { Problem } from '#platform/problems'
import type { Clock } from '#platform/time'

export { MOST_STREAMS, StreamCount } from './stream-count.ts'

/** One server-sent event (WHATWG HTML, section 9.2). `data` is sent as one line of JSON; `json` is one already. */
export type ServerEvent = {
  readonly event?: string
  readonly id?: string
} & ({ readonly data: unknown } | { readonly json: string })

export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // nginx would hold events back until its buffer is full.
  'x-accel-buffering': 'no',
}

const PING_MS = 15_000
const OVER = 'over'
/** A client that takes nothing for so long is told to come back, if it still reads; after twice the time it is cut. */
const STALLED_MS = 60_000

export interface EventStreamOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Writes what `events` yields, one event or several at a time, with a comment each 15 s of silence. A slow client holds
 * the generator back, so nothing queues in memory. A client that takes nothing for a minute loses its connection, with
 * `slow` as the last event; it can go on with Last-Event-ID. When the signal aborts for a Problem, as it does when the
 * caller's right is gone, the last event is `closed` with its code.
 */
export function eventStream(
  events: AsyncIterable<ServerEvent | readonly ServerEvent[]>,
  options: EventStreamOptions,
): Readable {
  const stall: Stall = { isLong: false, cut: () => stream.destroy() }
  const stream = Readable.from(frames(events, options, stall), { objectMode: false, highWaterMark: 16 * 1024 })
  return stream
}

interface Stall {
  isLong: boolean
  readonly cut: () => void
}

async function* frames(
  events: AsyncIterable<ServerEvent | readonly ServerEvent[]>,
  options: EventStreamOptions,
  stall: Stall,
): AsyncGenerator<string> {
  yield 'retry: 3000\n\n'
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    while (!options.signal.aborted) {
      const waiting = new AbortController()
      // A reason of our own: the default is an error with a stack, made for each event.
      const aborted = (): void => waiting.abort(OVER)
      options.signal.addEventListener('abort', aborted, { once: true })
      const result = await Promise.race([next, options.clock.sleep(PING_MS, waiting.signal)])
      waiting.abort(OVER)
      options.signal.removeEventListener('abort', aborted)
      if (result?.done || options.signal.aborted) break
      const watch = watchStall(options.clock, stall)
      yield result ? [result.value].flat().map(frame).join('') : ': ping\n\n'
      watch.cancel()
      if (stall.isLong) {
        yield frame({ event: 'slow', data: {} })
        return
      }
      if (result) next = iterator.next()
    }
    const { reason }: { reason: unknown } = options.signal
    if (reason instanceof Problem) yield frame({ event: 'closed', data: describe(reason) })
  } finally {
    next.catch(() => undefined)
    await iterator.return?.(undefined)
  }
}

function describe({ code, status, message }: Problem): Readonly<Record<string, unknown>> {
  return { code, status, detail: message }
}

function watchStall(clock: Clock, stall: Stall): { cancel(): void } {
  const tell = clock.after(STALLED_MS, () => {
    stall.isLong = true
  })
  const cut = clock.after(STALLED_MS * 2, stall.cut)
  return {
    cancel() {
      tell.cancel()
      cut.cancel()
    },
  }
}

function frame(event: ServerEvent): string {
  const head = (event.event ? `event: ${event.event}\n` : '') + (event.id ? `id: ${event.id}\n` : '')
  return `${head}data: ${'json' in event ? event.json : JSON.stringify(event.data)}\n\n`
}

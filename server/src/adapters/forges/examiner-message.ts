import type { Event } from '@signalbox/contracts/event'
import type { Examined } from './examine.ts'
import type { VerificationRequest } from './port.ts'

// What the two threads say to each other is text: a structured clone of the same costs both of them twice as much.

/** Deliveries for the second thread. Their parts that are large, or the same for many, are beside them. */
export interface Batch {
  /** A list of `DeliveryToExamine`. */
  readonly deliveries: string
  /** The bodies, one behind the other, in the order of the deliveries. */
  readonly bodies: Uint8Array<ArrayBuffer>
  /** Those of all sources. */
  readonly secrets: readonly Uint8Array[]
}

export interface DeliveryToExamine extends Pick<VerificationRequest, 'headers' | 'authMode'> {
  readonly forge: string
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  readonly bodyBytes: number
  /** Places in the batch's `secrets`. */
  readonly secrets: readonly number[]
}

/** `ready` once; then for each batch what came of each delivery, null where that failed. */
export type FromThread = 'ready' | readonly (PackedExamined | null)[]

/** An `Examined` whose events have no commits, then the commits of each event. */
export type PackedExamined = readonly [examined: string, ...commits: string[]]

const NO_COMMITS = '[]'

export function packExamined(examined: Examined): PackedExamined {
  if (!('reading' in examined) || examined.reading.kind !== 'events') return [JSON.stringify(examined)]
  const { events } = examined.reading
  const bare = events.map((event) => ({ ...event, commits: [] }))
  return [
    JSON.stringify({ ...examined, reading: { ...examined.reading, events: bare } }),
    ...events.map(({ commits }) => (commits.length === 0 ? NO_COMMITS : JSON.stringify(commits))),
  ]
}

/** The commits are read when somebody looks at them: they are most of a push, and most triggers never do. */
export function unpackExamined([text, ...commits]: PackedExamined): Examined {
  const examined: Examined = JSON.parse(text)
  if (!('reading' in examined) || examined.reading.kind !== 'events') return examined
  for (const [at, event] of examined.reading.events.entries()) {
    const own = commits[at]
    if (own !== undefined && own !== NO_COMMITS) readLater(event, own)
  }
  return examined
}

function readLater(event: Event, commits: string): void {
  const kept = { enumerable: true, configurable: true }
  Object.defineProperty(event, 'commits', {
    ...kept,
    get() {
      const value: Event['commits'] = JSON.parse(commits)
      Object.defineProperty(event, 'commits', { ...kept, writable: true, value })
      return value
    },
  })
}

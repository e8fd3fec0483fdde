import type { Kit } from '#platform/room'

export interface LiveMetrics {
  open(streams: number): void
  told(kind: string, events: number): void
  reset(): void
}

/** Series about the streams of changes, for GET /metrics. */
export function createLiveMetrics({ metrics }: Kit): LiveMetrics {
  const streams = metrics.gauge('signalbox_live_streams', 'Open streams of changes.', [])
  const events = metrics.counter(
    'signalbox_live_events_total',
    'Events sent to streams of changes, by kind of topic.',
    ['kind'],
  )
  const resets = metrics.counter(
    'signalbox_live_resets_total',
    'Streams of changes that were told to read everything again.',
    [],
  )
  return {
    open: (count) => streams.set(count),
    told: (kind, count) => events.inc({ kind }, count),
    reset: () => resets.inc(),
  }
}

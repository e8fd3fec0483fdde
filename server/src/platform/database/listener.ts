import pg from 'pg'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'

/** `payload` is undefined when listening has begun, or begun anew: something may have been missed, so look at the tables. */
export type NotificationHandler = (payload: string | undefined) => void

export interface Notifications {
  /** Calls back on each NOTIFY of the channel (a lower-case identifier). Answers the end of the subscription. */
  listen(channel: string, handler: NotificationHandler): () => void
  /** False while messages on a channel are known not to arrive: its connection broke, or was never made. */
  hears(channel: string): boolean
  /** True from the first connection that could not be made until one is made: the database is away. */
  isAway(): boolean
  /** Calls back when the database goes away; answers how to stop. Handlers of channels hear when it is back. */
  onAway(handler: () => void): () => void
  /** Resolves when the connection has been made and every channel is listened to. */
  ready(): Promise<void>
  close(): Promise<void>
}

const MAX_BACKOFF_MS = 2000

/** One connection for LISTEN, made anew when it breaks. A notification is a hint, never the truth: tables are. */
export function createListener(config: pg.ClientConfig, log: Log, clock: Clock): Notifications {
  const handlers = new Map<string, Set<NotificationHandler>>()
  /** The channels that the connection listens to now. */
  const heard = new Set<string>()
  const onAway = new Set<() => void>()
  let isAway = false
  const closing = new AbortController()
  let client: pg.Client | undefined
  // One statement at a time on the one connection.
  let asking: Promise<unknown> = Promise.resolve()
  let loop: Promise<void> | undefined
  let connected = Promise.withResolvers<void>()
  connected.promise.catch(() => undefined)

  async function connectOnce(): Promise<void> {
    const next = new pg.Client({ ...config, application_name: 'signalbox listen', keepAlive: true })
    const ended = new Promise<void>((resolve) => {
      next.on('error', () => resolve())
      next.on('end', () => resolve())
    })
    try {
      await next.connect()
      for (const channel of handlers.keys()) await next.query(`listen ${quoted(channel)}`)
      // The listener was closed while the connection was being made: only this code knows the connection.
      if (closing.signal.aborted) return
      next.on('notification', (message) => {
        for (const handler of handlers.get(message.channel) ?? []) handler(message.payload)
      })
      client = next
      isAway = false
      connected.resolve()
      for (const channel of handlers.keys()) hear(next, channel)
      await ended
    } finally {
      if (client === next) {
        client = undefined
        heard.clear()
        connected = Promise.withResolvers<void>()
        connected.promise.catch(() => undefined)
      }
      await next.end().catch(() => undefined)
    }
  }

  /** The connection has begun to listen to the channel: earlier messages may have been missed. */
  function hear(on: pg.Client | undefined, channel: string): void {
    if (on === undefined || on !== client) return
    heard.add(channel)
    for (const handler of handlers.get(channel) ?? []) handler(undefined)
  }

  function fail(error: Error): void {
    log.debug({ err: error.message }, 'listening failed')
    if (isAway || closing.signal.aborted) return
    isAway = true
    for (const handler of onAway) handler()
  }

  async function run(): Promise<void> {
    let backoff = 50
    while (!closing.signal.aborted) {
      const startedAt = clock.monotonic()
      await connectOnce().catch(fail)
      if (closing.signal.aborted) return
      backoff = clock.monotonic() - startedAt > MAX_BACKOFF_MS ? 50 : Math.min(backoff * 2, MAX_BACKOFF_MS)
      await clock.sleep(backoff, closing.signal)
    }
  }

  return {
    listen(channel, handler) {
      const set = handlers.get(channel) ?? new Set()
      set.add(handler)
      if (!handlers.has(channel)) {
        handlers.set(channel, set)
        const statement = `listen ${quoted(channel)}`
        const current = client
        // A connection that breaks meanwhile is no loss: the next one listens to every channel.
        asking = asking
          .then(() => current?.query(statement))
          .then(() => hear(current, channel))
          .catch(() => undefined)
      }
      loop ??= run()
      return () => void set.delete(handler)
    },
    hears: (channel) => heard.has(channel),
    isAway: () => isAway,
    onAway(handler) {
      onAway.add(handler)
      return () => void onAway.delete(handler)
    },
    async ready() {
      loop ??= run()
      await connected.promise
      // Channels that were added since.
      await asking
    },
    async close() {
      closing.abort()
      connected.reject(new Error('closed'))
      await client?.end().catch(() => undefined)
      await loop
    },
  }
}

function quoted(channel: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(channel)) throw new Error(`"${channel}" is not a channel name`)
  return channel
}

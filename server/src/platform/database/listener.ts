import pg from 'pg'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'

/** `payload` is undefined after a reconnection: something may have been missed, so look at the tables. */
export type NotificationHandler = (payload: string | undefined) => void

export interface Notifications {
  /** Calls back on each NOTIFY of the channel (a lower-case identifier). Answers the end of the subscription. */
  listen(channel: string, handler: NotificationHandler): () => void
  /** Resolves when the connection has been made and every channel is listened to. */
  ready(): Promise<void>
  close(): Promise<void>
}

const MAX_BACKOFF_MS = 5000

/** One connection for LISTEN, made anew when it breaks. A notification is a hint, never the truth: tables are. */
export function createListener(config: pg.ClientConfig, log: Log, clock: Clock): Notifications {
  const handlers = new Map<string, Set<NotificationHandler>>()
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
      // Closed while it was being made: nobody else knows of this connection yet.
      if (closing.signal.aborted) return
      next.on('notification', (message) => {
        for (const handler of handlers.get(message.channel) ?? []) handler(message.payload)
      })
      client = next
      connected.resolve()
      for (const set of handlers.values()) for (const handler of set) handler(undefined)
      await ended
    } finally {
      if (client === next) {
        client = undefined
        connected = Promise.withResolvers<void>()
        connected.promise.catch(() => undefined)
      }
      await next.end().catch(() => undefined)
    }
  }

  async function run(): Promise<void> {
    let backoff = 50
    while (!closing.signal.aborted) {
      const startedAt = clock.monotonic()
      await connectOnce().catch((error: Error) => log.debug({ err: error.message }, 'listening failed'))
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
        // A connection that breaks meanwhile is no loss: the next one listens to every channel.
        const current = client
        asking = asking.then(() => current?.query(statement)).catch(() => undefined)
      }
      loop ??= run()
      return () => void set.delete(handler)
    },
    ready: () => {
      loop ??= run()
      return connected.promise
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

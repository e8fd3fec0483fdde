import type { Database } from '#platform/database'
import type { Clock } from '#platform/time'

/** How providers call the apps themselves, by the source that uses an app: asked for at each delivery of such a source. */
export interface OwnLogins {
  /** Undefined: no app is behind the source, or nobody knows its name yet. */
  of(sourceId: string): Promise<string | undefined>
  close(): void
}

const CHANNEL = 'git_apps_changed'
/** A connection can die unnoticed, and with it the notifications. */
const MAX_AGE_MS = 5_000
/** More sources than anybody has. */
const MAX_HELD = 10_000

interface Known {
  readonly answer: Promise<string | undefined>
  readonly askedAt: number
}

/**
 * Kept as new as the last notification, and for five seconds at most. While no notification can be heard, the database is
 * asked each time.
 */
export function keepOwnLogins(
  { notifications, clock }: Pick<Database, 'notifications'> & { readonly clock: Pick<Clock, 'monotonic'> },
  find: (sourceId: string) => Promise<string | undefined>,
): OwnLogins {
  const known = new Map<string, Known>()
  // Also answers that are on their way: they may be from before the change.
  const endListening = notifications.listen(CHANNEL, () => known.clear())

  function ask(sourceId: string): Promise<string | undefined> {
    const answer = find(sourceId)
    if (known.size >= MAX_HELD) known.clear()
    known.set(sourceId, { answer, askedAt: clock.monotonic() })
    // A database that could not be reached is asked again by the next delivery.
    answer.catch(() => {
      if (known.get(sourceId)?.answer === answer) known.delete(sourceId)
    })
    return answer
  }

  return {
    of(sourceId) {
      if (!notifications.hears(CHANNEL)) return find(sourceId)
      const held = known.get(sourceId)
      return held && clock.monotonic() - held.askedAt < MAX_AGE_MS ? held.answer : ask(sourceId)
    },
    close() {
      endListening()
      known.clear()
    },
  }
}

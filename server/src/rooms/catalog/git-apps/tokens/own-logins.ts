import type { Database } from '#platform/database'

/** How providers call the apps themselves, by the source that uses an app: asked for at each delivery of such a source. */
export interface OwnLogins {
  /** Undefined: no app is behind the source, or nobody knows its name yet. */
  of(sourceId: string): Promise<string | undefined>
  close(): void
}

const CHANNEL = 'git_apps_changed'
/** More sources than anybody has. */
const MAX_HELD = 10_000

/** Kept as new as the last notification. While none can be heard, the database is asked each time. */
export function keepOwnLogins(
  { notifications }: Pick<Database, 'notifications'>,
  find: (sourceId: string) => Promise<string | undefined>,
): OwnLogins {
  const known = new Map<string, Promise<string | undefined>>()
  // Also answers that are on their way: they may be from before the change.
  const endListening = notifications.listen(CHANNEL, () => known.clear())

  function ask(sourceId: string): Promise<string | undefined> {
    const answer = find(sourceId)
    if (known.size >= MAX_HELD) known.clear()
    known.set(sourceId, answer)
    // A database that could not be reached is asked again by the next delivery.
    answer.catch(() => {
      if (known.get(sourceId) === answer) known.delete(sourceId)
    })
    return answer
  }

  return {
    of: (sourceId) => (notifications.hears(CHANNEL) ? (known.get(sourceId) ?? ask(sourceId)) : find(sourceId)),
    close() {
      endListening()
      known.clear()
    },
  }
}

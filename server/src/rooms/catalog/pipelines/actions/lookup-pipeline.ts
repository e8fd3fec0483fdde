import { LRUCache } from 'lru-cache'
import type { Kit } from '#platform/room'
import type { PipelineForRun } from './resolve-pipeline.ts'

export interface PipelineLookup {
  /** The current version of a live pipeline, at most MAX_AGE_MS behind the table and mostly not at all. */
  lookup(identifier: string): Promise<PipelineForRun | undefined>
  /** Forgets everything: what was read from now on is from now on. */
  forget(): void
  close(): void
}

interface Held {
  readonly readAt: number
  readonly value: Promise<PipelineForRun | undefined>
}

const MAX_ENTRIES = 10_000
/** A notification may be lost with its connection; then a change is seen this late, as grants are. */
const MAX_AGE_MS = 5000

/**
 * Holds what ingress asks for at every delivery. Each change of a pipeline or profile is told by NOTIFY and empties it;
 * the age is what counts when nothing is told. Deliveries that ask at the same time share one query.
 */
export function createPipelineLookup(
  kit: Pick<Kit, 'clock' | 'database'>,
  read: (identifier: string) => Promise<PipelineForRun | undefined>,
): PipelineLookup {
  const held = new LRUCache<string, Held>({ max: MAX_ENTRIES })
  const { notifications } = kit.database
  let ends: readonly (() => void)[] | undefined

  const forget = (): void => held.clear()

  function readAnew(identifier: string): Promise<PipelineForRun | undefined> {
    // What is asked while a change is on its way is thrown away with the rest when the change is told.
    const entry: Held = { readAt: kit.clock.monotonic(), value: read(identifier) }
    held.set(identifier, entry)
    entry.value.catch(() => {
      if (held.peek(identifier) === entry) held.delete(identifier)
    })
    return entry.value
  }

  return {
    forget,
    lookup(identifier) {
      ends ??= ['pipelines_changed', 'profiles_changed'].map((channel) => notifications.listen(channel, forget))
      const entry = held.get(identifier)
      if (entry && kit.clock.monotonic() - entry.readAt < MAX_AGE_MS) return entry.value
      return readAnew(identifier)
    },
    close() {
      for (const end of ends ?? []) end()
      ends = undefined
    },
  }
}

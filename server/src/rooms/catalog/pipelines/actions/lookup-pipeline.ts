import { LRUCache } from 'lru-cache'
import type { Kit } from '#platform/room'
import type { PipelineForRun } from './resolve-pipeline.ts'

export interface PipelineLookup {
  /** The current version of a live pipeline, at most MAX_AGE_MS behind the table and mostly not at all. */
  lookup(identifier: string): Promise<PipelineForRun | undefined>
  /** Forgets everything, so that the next lookup reads the tables. */
  forget(): void
  close(): void
}

interface Kept {
  readonly readAt: number
  readonly value: Promise<PipelineForRun | undefined>
}

const MAX_ENTRIES = 10_000
/** When a notification is lost with its connection, a change is seen after this time. */
const MAX_AGE_MS = 5000

/**
 * Keeps the pipelines that ingress looks up at each delivery. NOTIFY of a change of a pipeline or profile empties the copy; an
 * entry is dropped at its age in any case. Deliveries that ask at the same time share one query.
 */
export function createPipelineLookup(
  kit: Pick<Kit, 'clock' | 'database'>,
  read: (identifier: string) => Promise<PipelineForRun | undefined>,
): PipelineLookup {
  const kept = new LRUCache<string, Kept>({ max: MAX_ENTRIES })
  const { notifications } = kit.database
  let ends: readonly (() => void)[] | undefined

  const forget = (): void => kept.clear()

  function readAnew(identifier: string): Promise<PipelineForRun | undefined> {
    // A query that overlaps a change is dropped with all others when the change is told.
    const entry: Kept = { readAt: kit.clock.monotonic(), value: read(identifier) }
    kept.set(identifier, entry)
    entry.value.catch(() => {
      if (kept.peek(identifier) === entry) kept.delete(identifier)
    })
    return entry.value
  }

  return {
    forget,
    lookup(identifier) {
      ends ??= ['pipelines_changed', 'profiles_changed'].map((channel) => notifications.listen(channel, forget))
      const entry = kept.get(identifier)
      if (entry && kit.clock.monotonic() - entry.readAt < MAX_AGE_MS) return entry.value
      return readAnew(identifier)
    },
    close() {
      for (const end of ends ?? []) end()
      ends = undefined
    },
  }
}

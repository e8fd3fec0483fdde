import type { Event, EventCommit } from '@signalbox/contracts/event'
import type { Reading } from './port.ts'
import { type DeliveredFromRepository, eventOf, nothingRunnable, severalEvents, unreadable } from './reading.ts'

/** One moved ref among several of a push. The providers that send such lists name no changed paths. */
export interface RefChange {
  /** Full and valid. */
  readonly ref: string
  /** Null: the ref is new. */
  readonly before: string | null
  /** Null: the ref is gone. */
  readonly after: string | null
  /** Null: the provider does not say. */
  readonly forced: boolean | null
  /** Oldest first; empty where the provider names none for this ref. */
  readonly commits: EventCommit[]
}

/** Ours: a mirror may push tens of thousands of refs at once, and each would be an event with runs of its own. */
const MAX_CHANGES = 1_000

/**
 * One event for each branch or tag of a push, in the provider's order. An undefined change could not be read, and a ref
 * that is neither branch nor tag means nothing to a trigger. Such changes are passed over as long as others remain.
 */
export function readRefChanges(
  delivered: DeliveredFromRepository,
  changes: readonly (RefChange | undefined)[],
  occurredAt: string | null,
): Reading {
  if (changes.length > MAX_CHANGES) {
    const reason = `The push moves ${changes.length} refs at once; above ${MAX_CHANGES} it starts nothing.`
    return nothingRunnable(delivered, delivered.repository, reason)
  }
  if (changes.length === 0)
    return nothingRunnable(delivered, delivered.repository, 'The push moves no branch and no tag.')
  const readable = changes.filter((change) => change !== undefined)
  const [first, ...others] = readable.flatMap((change) => describeChange(delivered, change, occurredAt))
  if (first !== undefined) return severalEvents(delivered, [first, ...others])
  return whyNothing(delivered, readable.length > 0)
}

function whyNothing(delivered: DeliveredFromRepository, readable: boolean): Reading {
  if (!readable) return unreadable(delivered, 'The push names no branch or tag with a commit before or after it.')
  return nothingRunnable(delivered, delivered.repository, 'The pushed refs are neither branches nor tags.')
}

function describeChange(delivered: DeliveredFromRepository, change: RefChange, occurredAt: string | null): Event[] {
  const { ref, before, after, forced, commits } = change
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null
  const tag = ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : null
  if (branch === null && tag === null) return []
  const moved = { ref, branch, tag, before, forced, occurred_at: occurredAt }
  if (after === null) {
    return [
      eventOf(delivered, { ...moved, kind: branch === null ? 'tag_deleted' : 'branch_deleted', action: 'deleted' }),
    ]
  }
  return [
    eventOf(delivered, {
      ...moved,
      kind: branch === null ? 'tag' : 'push',
      action: before === null ? 'created' : 'updated',
      after,
      commits,
    }),
  ]
}

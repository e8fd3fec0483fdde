import { isRidden, isUnavailable } from '#platform/database'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Delivery } from '../rules/index.ts'
import type { AboveSources } from './above-sources.ts'
import type { Ticket } from './admissions.ts'
import { createBlockCompressor } from './block-compressor.ts'
import type { DeliveryEntry } from './delivery-entry.ts'
import { type Repeating, storeGroup } from './group.ts'
import { createToldDeliveries } from './told-deliveries.ts'
import { createTurns } from './turns.ts'

/** The delivery as it was stored, which is another than was asked for a duplicate. */
export interface Committed {
  readonly delivery: Delivery
}

export interface Committer {
  /**
   * Resolves after the commit. Rejects with a 503 problem when the database cannot be reached or takes too long. A slow
   * commit may still be stored, and then a repetition is a duplicate. Retains the ticket until then.
   */
  commit(entry: DeliveryEntry, ticket: Ticket): Promise<Committed>
  /** Resolves when nothing is waiting any more. */
  settle(): Promise<void>
}

/**
 * A second transaction starts only when a large group is already waiting. While one group commits the next arrives, and
 * two groups of half the size cost PostgreSQL and this process a fifth more for each delivery.
 */
const WRITERS = 2
const SECOND_WRITER_AT = 64
const MAX_GROUP = 128
/** Most providers wait 10 s for the answer, and it may have waited for its turn before. */
const MAX_WAIT_MS = 7000

interface Waiting {
  readonly entry: DeliveryEntry
  /** Gives the ticket back. */
  readonly release: () => void
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: unknown) => void
}

/** The means of the committer: the kit, the plans of events, and the listener for queued runs. */
export interface CommitterMeans extends Kit {
  readonly events: Repeating
  readonly above: AboveSources
  readonly onRunsQueued: () => void
}

/** Deliveries that arrive while a commit is under way are taken together into the next one. */
export function createCommitter(means: CommitterMeans): Committer {
  const queue = createTurns<Waiting>()
  const compress = createBlockCompressor()
  const told = createToldDeliveries(means)
  let writers = 0
  let idle: (() => void)[] = []

  async function storeAll(group: readonly Waiting[]): Promise<void> {
    try {
      const done = await storeGroup(
        means,
        compress,
        group.map((waiting) => waiting.entry),
      )
      means.failPoints.hit('ingress.after_commit')
      told.note(done)
      for (const [at, waiting] of group.entries()) {
        const delivery = done[at]
        if (delivery) waiting.resolve({ delivery })
        else waiting.reject(new Error('a delivery of the group was not stored'))
      }
    } catch (error) {
      if (group.length === 1 || isUnavailable(error)) {
        for (const waiting of group) waiting.reject(error)
        return
      }
      // One delivery that cannot be stored must not fail the others: it is found by halves, in some 14 transactions.
      const half = Math.ceil(group.length / 2)
      await storeAll(group.slice(0, half))
      await storeAll(group.slice(half))
    }
  }

  async function runWriter(): Promise<void> {
    while (queue.size > 0) {
      const group = queue.take(MAX_GROUP)
      means.failPoints.hit('ingress.before_commit')
      await storeAll(group)
      if (group.some(({ entry }) => entry.plans.some((plan) => plan.starts.length > 0))) means.onRunsQueued()
      for (const { release } of group) release()
    }
  }

  /**
   * A plan that is carried out is consumed in the same transaction, and rolls it back where it is used or stale: nothing of
   * others may hang on that.
   */
  async function commitAlone(entry: DeliveryEntry): Promise<Committed> {
    means.failPoints.hit('ingress.before_commit')
    const [delivery] = await storeGroup(means, compress, [entry])
    if (!delivery) throw new Error('a delivery was not stored')
    told.note([delivery])
    if (entry.plans.some((plan) => plan.starts.length > 0)) means.onRunsQueued()
    return { delivery }
  }

  function pump(): void {
    while (writers === 0 ? queue.size > 0 : writers < WRITERS && queue.size >= SECOND_WRITER_AT) {
      writers += 1
      void runWriter().finally(() => {
        writers -= 1
        if (writers === 0 && queue.size === 0) {
          for (const done of idle) done()
          idle = []
        }
      })
    }
  }

  return {
    commit(entry, ticket) {
      if (isRidden()) return commitAlone(entry)
      const release = ticket.retain()
      return new Promise((resolve, reject) => {
        const late = means.clock.after(MAX_WAIT_MS, () => {
          const detail = 'The delivery could not be stored in time. Send it again.'
          reject(platformProblem('database_unavailable', detail, { headers: { 'retry-after': '5' } }))
        })
        queue.add(entry.delivery.sourceId, {
          entry,
          release,
          resolve(committed) {
            late.cancel()
            resolve(committed)
          },
          reject(error) {
            late.cancel()
            reject(error)
          },
        })
        pump()
      })
    },
    settle() {
      if (writers === 0 && queue.size === 0) return Promise.resolve()
      return new Promise((resolve) => idle.push(resolve))
    },
  }
}

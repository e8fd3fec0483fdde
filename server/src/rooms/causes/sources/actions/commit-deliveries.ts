import { isUnavailable } from '#platform/database'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { EventPlan, Events } from '#rooms/causes/events'
import { sourceProblem } from '../errors.ts'
import type { Delivery } from '../rules/index.ts'
import type { Repetition } from '../store/commit.ts'
import { storeGroup } from './store-group.ts'

/** One delivery as it is to be stored. */
export interface DeliveryEntry {
  readonly delivery: Delivery
  readonly repetition: Repetition
  readonly payload: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } | undefined
  readonly plans: readonly EventPlan[]
}

/** The delivery as it was stored, which is another than was asked for a duplicate. */
export interface Committed {
  readonly delivery: Delivery
}

export interface Committer {
  /**
   * Resolves after the commit. Rejects with a 503 problem at once when too much is waiting, when the database cannot be
   * reached, and when it takes too long; what takes too long may still be stored, and then a repetition is a duplicate.
   */
  commit(entry: DeliveryEntry): Promise<Committed>
  /** Resolves when nothing is waiting any more. */
  settle(): Promise<void>
}

/**
 * A second transaction at a time only when a large group is waiting already: while one commits the next arrives, and two
 * groups of half the size cost PostgreSQL and this process a fifth more for each delivery.
 */
const LANES = 2
const SECOND_LANE_AT = 64
const MAX_GROUP = 128
const MAX_WAITING = 1000
const MAX_WAITING_BYTES = 64 * 1024 * 1024
const MAX_WAIT_MS = 8000

interface Waiting {
  readonly entry: DeliveryEntry
  readonly bytes: number
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: unknown) => void
}

/** Deliveries that arrive while a commit is under way are taken together into the next one. */
export function createCommitter(
  kit: Kit,
  needs: { readonly events: Pick<Events, 'admission'>; readonly onRunsQueued: () => void },
): Committer {
  const queue: Waiting[] = []
  let lanes = 0
  let held = 0
  let heldBytes = 0
  let idle: (() => void)[] = []

  async function storeAll(group: readonly Waiting[]): Promise<void> {
    try {
      const done = await storeGroup(
        kit,
        needs.events,
        group.map((waiting) => waiting.entry),
      )
      kit.failPoints.hit('ingress.after_commit')
      for (const [at, waiting] of group.entries()) {
        const delivery = done[at]
        if (delivery) waiting.resolve({ delivery })
        else waiting.reject(new Error('a delivery of the group was not stored'))
      }
    } catch (error) {
      // One delivery that cannot be stored must not fail the others.
      if (group.length > 1 && !isUnavailable(error)) for (const waiting of group) await storeAll([waiting])
      else for (const waiting of group) waiting.reject(error)
    }
  }

  async function runLane(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, MAX_GROUP)
      kit.failPoints.hit('ingress.before_commit')
      await storeAll(group)
      if (group.some(({ entry }) => entry.plans.some((plan) => plan.runs.length > 0))) needs.onRunsQueued()
      held -= group.length
      for (const { bytes } of group) heldBytes -= bytes
    }
  }

  function pump(): void {
    while (lanes === 0 ? queue.length > 0 : lanes < LANES && queue.length >= SECOND_LANE_AT) {
      lanes += 1
      void runLane().finally(() => {
        lanes -= 1
        if (lanes === 0 && queue.length === 0) {
          for (const done of idle) done()
          idle = []
        }
      })
    }
  }

  return {
    commit(entry) {
      const bytes = entry.payload?.body.length ?? 0
      if (held >= MAX_WAITING || (held > 0 && heldBytes + bytes > MAX_WAITING_BYTES)) {
        return Promise.reject(
          sourceProblem('delivery.overloaded', 'Too many deliveries are waiting to be stored. Send it again.', {
            headers: { 'retry-after': '5' },
          }),
        )
      }
      held += 1
      heldBytes += bytes
      return new Promise((resolve, reject) => {
        const late = kit.clock.after(MAX_WAIT_MS, () => {
          const detail = 'The delivery could not be stored in time. Send it again.'
          reject(platformProblem('database_unavailable', detail, { headers: { 'retry-after': '5' } }))
        })
        queue.push({
          entry,
          bytes,
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
      if (lanes === 0 && queue.length === 0) return Promise.resolve()
      return new Promise((resolve) => idle.push(resolve))
    },
  }
}

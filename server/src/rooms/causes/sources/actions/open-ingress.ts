import type { FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import type { SourceNeeds } from '../index.ts'
import { createSourceMetrics, type SourceMetrics } from '../metrics.ts'
import type { RepositoryNames } from '../rules/index.ts'
import { type Committer, createCommitter, type DeliveryEntry } from './commit-deliveries.ts'
import { keepNames } from './keep-names.ts'
import { keepSources, type SourceBook } from './keep-sources.ts'
import { createSenderLimits, type SenderLimits } from './limit-senders.ts'
import { createPace, type Pace } from './pace-deliveries.ts'
import { createLargeQueue, type LargeQueue } from './queue-large.ts'

/** What all deliveries of one process share. */
export interface Ingress {
  readonly needs: SourceNeeds
  readonly book: FreshCopy<SourceBook>
  /** By which names sources told of repositories. */
  readonly names: FreshCopy<RepositoryNames>
  readonly committer: Committer
  readonly limits: SenderLimits
  readonly pace: Pace
  readonly large: LargeQueue
  readonly metrics: SourceMetrics
  /** Stores what its sender need not wait for: a second at most, and never with an error. */
  storeSoon(entry: DeliveryEntry): Promise<void>
}

const SOON_MS = 1000

export function openIngress(kit: Kit, needs: SourceNeeds): Ingress {
  const committer = createCommitter(kit, needs)
  return {
    needs,
    book: keepSources(kit, needs),
    names: keepNames(kit),
    committer,
    limits: createSenderLimits(kit),
    pace: createPace(kit),
    large: createLargeQueue(kit),
    metrics: createSourceMetrics(kit.metrics),
    async storeSoon(entry) {
      const stored = committer.commit(entry).then(
        () => undefined,
        (error: Error) => kit.log.debug({ err: error.message }, 'a refused delivery was not recorded'),
      )
      const enough = new AbortController()
      await Promise.race([stored, kit.clock.sleep(SOON_MS, enough.signal)])
      enough.abort()
    },
  }
}

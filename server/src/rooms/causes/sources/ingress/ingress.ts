import type { FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import type { SourceNeeds } from '../index.ts'
import { createSourceMetrics, type SourceMetrics } from '../metrics.ts'
import type { RepositoryNames } from '../rules/index.ts'
import { type Admissions, createAdmissions } from './admissions.ts'
import { type Committer, createCommitter } from './committer.ts'
import { keepNames } from './known-names.ts'
import { createLargeQueue, type LargeQueue } from './large-queue.ts'
import { createPace, type Pace } from './pace.ts'
import { createSenderLimits, type SenderLimits } from './sender-limits.ts'
import { keepSources, type SourceBook } from './source-book.ts'

/** What all deliveries of one process share. */
export interface Ingress {
  readonly needs: SourceNeeds
  readonly book: FreshCopy<SourceBook>
  /** By which names sources told of repositories. */
  readonly names: FreshCopy<RepositoryNames>
  readonly committer: Committer
  readonly limits: SenderLimits
  readonly admissions: Admissions
  readonly pace: Pace
  readonly large: LargeQueue
  readonly metrics: SourceMetrics
}

export function openIngress(kit: Kit, needs: SourceNeeds): Ingress {
  return {
    needs,
    book: keepSources(kit, needs),
    names: keepNames(kit),
    committer: createCommitter(kit, needs),
    limits: createSenderLimits(kit),
    admissions: createAdmissions(needs.forges.largeBytes),
    pace: createPace(kit),
    large: createLargeQueue(kit),
    metrics: createSourceMetrics(kit.metrics),
  }
}

import type { FreshCopy } from '#platform/database'
import { createSourceMetrics, type SourceMetrics } from '../metrics.ts'
import type { RepositoryNames } from '../rules/index.ts'
import { type Admissions, createAdmissions } from './admissions.ts'
import { type Committer, type CommitterMeans, createCommitter } from './committer.ts'
import { keepNames } from './known-names.ts'
import { createLargeQueue, type LargeQueue } from './large-queue.ts'
import { createPace, type Pace } from './pace.ts'
import { createSenderLimits, type SenderLimits } from './sender-limits.ts'
import { type BookMeans, keepSources, type SourceBook } from './source-book.ts'

/** The state that all deliveries of one process share. */
export interface Ingress {
  readonly book: FreshCopy<SourceBook>
  /** The names by which sources told of repositories. */
  readonly names: FreshCopy<RepositoryNames>
  readonly committer: Committer
  readonly limits: SenderLimits
  readonly admissions: Admissions
  readonly pace: Pace
  readonly large: LargeQueue
  readonly metrics: SourceMetrics
}

/** The means of the ingress: the kit, and what it asks of the doors. */
export interface IngressMeans extends BookMeans, CommitterMeans {
  readonly forges: BookMeans['forges'] & { readonly largeBytes: number }
}

export function openIngress(means: IngressMeans): Ingress {
  return {
    book: keepSources(means),
    names: keepNames(means),
    committer: createCommitter(means),
    limits: createSenderLimits(means),
    admissions: createAdmissions(means.forges.largeBytes),
    pace: createPace(means.clock),
    large: createLargeQueue(means.clock),
    metrics: createSourceMetrics(means.metrics),
  }
}

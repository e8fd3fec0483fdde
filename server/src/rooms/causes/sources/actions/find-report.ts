import type { ForgeStatus } from '#adapters/forges'
import { sha256 } from '#platform/crypto'
import type { RunStanding } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { addressOf, contextOf, isReachable, type Source } from '../rules/index.ts'
import { findSourceId, type StatusPlace } from '../store/commit-statuses.ts'
import { findSource } from '../store/sources.ts'

/** Where the provider of a run's source is told of the run. */
export interface FoundReport {
  readonly source: Source
  readonly status: ForgeStatus
  readonly baseUrl: string
  readonly repository: string
  readonly ref: string | null
  readonly place: StatusPlace
}

/** `nothing`: the reason why no provider is told, as a sentence. */
export async function findReport(means: Means, run: RunStanding): Promise<FoundReport | { readonly nothing: string }> {
  const db = means.database.kysely
  const sourceId = run.deliveryRecordId === null ? undefined : await findSourceId(db, run.deliveryRecordId)
  const source = sourceId === undefined ? undefined : await findSource(db, sourceId)
  if (!source) return { nothing: 'No source is known that it came from.' }
  if (!source.reportStatus) return { nothing: 'The source does not report statuses any more.' }
  const forge = means.forges.find(source.provider)
  if (!forge?.status) return { nothing: 'The provider of the source takes no statuses.' }
  if (run.commitSha === null || run.repository === null) return { nothing: 'The run is of no commit.' }
  const baseUrl = addressOf(source, forge, means.config.providerHosts)
  if (baseUrl === undefined) return { nothing: 'The address of the provider is not known, or not allowed any more.' }
  // Some events name no address; then the repository is one of the provider that sent them.
  if (run.cloneUrl !== null && !isReachable(new URL(baseUrl).origin, run.cloneUrl)) {
    return { nothing: 'The repository is not one of the provider that the source names.' }
  }
  return {
    source,
    status: forge.status,
    baseUrl,
    repository: run.repository,
    ref: run.ref,
    place: {
      sourceId: source.id,
      repository: run.repository,
      commitSha: run.commitSha,
      context: shorten(contextOf(run)),
    },
  }
}

/** The length that every provider takes. */
const MAX_CONTEXT = 255
const DIGITS = 12

/** Cut alone, two of them could become the same status. */
function shorten(context: string): string {
  if (context.length <= MAX_CONTEXT) return context
  return `${context.slice(0, MAX_CONTEXT - DIGITS - 1)}~${sha256(context).toString('hex').slice(0, DIGITS)}`
}

import type { ForgeChecks, ForgeStatus } from '#adapters/forges'
import { sha256 } from '#platform/crypto'
import type { ToldSource } from '#rooms/causes/sources'
import type { RunStanding } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { contextOf } from '../rules/index.ts'
import type { StatusPlace } from '../store/commit-statuses.ts'

/** Where the provider of a run's source is told of the run. */
export interface FoundReport {
  readonly source: ToldSource
  /** Checks where the source is called as an app and its provider has them. */
  readonly teller: { readonly kind: 'status'; readonly status: ForgeStatus } | CheckTeller
  readonly baseUrl: string
  readonly repository: string
  readonly ref: string | null
  readonly place: StatusPlace
}

export interface CheckTeller {
  readonly kind: 'check'
  readonly checks: ForgeChecks
}

/** `nothing`: the reason why no provider is told, as a sentence. */
export async function findReport(means: Means, run: RunStanding): Promise<FoundReport | { readonly nothing: string }> {
  const db = means.database.kysely
  const source = run.deliveryRecordId === null ? undefined : await means.sources.findToldOf(db, run.deliveryRecordId)
  if (!source) return { nothing: 'No source is known that it came from.' }
  if (!source.reportStatus) return { nothing: 'The source does not report statuses any more.' }
  const teller = findTeller(means, source)
  if (!teller) return { nothing: 'The provider of the source takes no statuses.' }
  if (run.commitSha === null || run.repository === null) return { nothing: 'The run is of no commit.' }
  const { baseUrl } = source
  if (baseUrl === undefined) return { nothing: 'The address of the provider is not known, or not allowed any more.' }
  // Some events name no address; then the repository is one of the provider that sent them.
  if (run.cloneUrl !== null && !source.owns(run.cloneUrl)) {
    return { nothing: 'The repository is not one of the provider that the source names.' }
  }
  return {
    source,
    teller,
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

function findTeller(means: Means, { provider, checkoutCredentialRef }: ToldSource): FoundReport['teller'] | undefined {
  const forge = means.forges.find(provider)
  // Only an app may write checks.
  if (forge?.checks && checkoutCredentialRef?.startsWith('app:')) return { kind: 'check', checks: forge.checks }
  return forge?.status ? { kind: 'status', status: forge.status } : undefined
}

/** The length that every provider takes. */
const MAX_CONTEXT = 255
const DIGITS = 12

/** Cut alone, two of them could become the same status. */
function shorten(context: string): string {
  if (context.length <= MAX_CONTEXT) return context
  return `${context.slice(0, MAX_CONTEXT - DIGITS - 1)}~${sha256(context).toString('hex').slice(0, DIGITS)}`
}

import type { Branch } from '@signalbox/contracts/sources'
import type { ForgeAnswer, ForgeBranch, ForgeFailure, ForgeRepositories } from '#adapters/forges'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { GitApps } from '#rooms/catalog/git-apps'
import { orUnavailable, sourceProblem } from '../errors.ts'
import type { Ingress } from '../ingress/ingress.ts'
import type { LiveSource } from '../ingress/source-book.ts'
import { addressOf, wishOf } from '../rules/index.ts'
import type { BranchMemory } from './branch-memory.ts'

/** All calls together; a page waits for it. */
const TIME_LIMIT_MS = 15_000
/** The number of sources admitting a repository that are asked until one knows it. */
const MAX_ASKED = 3

interface BranchMeans extends Kit {
  readonly gitApps: Pick<GitApps, 'call'>
  readonly ingress: Pick<Ingress, 'book'>
  readonly branchMemory: BranchMemory
}

/**
 * The branches of a repository, asked through a source that the caller may see and that admits the repository. The call
 * uses the source's read credential, or none where the source has none. Throws 404 without such a source, and where the
 * provider does not have or show the repository. Throws 502 where the provider could not be asked, with Retry-After where
 * it says when.
 */
export async function listBranches(
  means: BranchMeans,
  caller: Caller,
  repository: string,
  signal: AbortSignal,
): Promise<readonly Branch[]> {
  const asking = await findAskable(means, caller, repository)
  const limit = new AbortController()
  const timer = means.clock.after(TIME_LIMIT_MS, () => limit.abort())
  let failure: ForgeFailure | undefined
  try {
    for (const one of asking) {
      const answer = await ask(means, one, repository, AbortSignal.any([signal, limit.signal]))
      if (answer.outcome === 'found') {
        return answer.value.map(({ name, commitSha }) => ({ name, commit_sha: commitSha }))
      }
      if (answer.outcome === 'failed') failure ??= answer
    }
  } finally {
    timer.cancel()
  }
  if (failure !== undefined) throw unreachable(failure)
  throw notConnected(repository)
}

function unreachable({ reason, retryAfterMs }: ForgeFailure): Error {
  const headers = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }
  return sourceProblem('repository.provider_unreachable', reason, { headers })
}

interface Askable {
  readonly live: LiveSource
  readonly baseUrl: string
  readonly repositories: ForgeRepositories
}

/**
 * Sources with a credential come first, because a credential sees more than nobody does; newer sources come before
 * older ones.
 */
async function findAskable(means: BranchMeans, caller: Caller, repository: string): Promise<readonly Askable[]> {
  const book = await orUnavailable(means.ingress.book.get())
  const asking = [...book.values()].flatMap((live): Askable[] => {
    const { source, forge } = live
    const visible = caller.can('webhook_source.read', source.teamPath)
    if (!visible || !source.enabled || !forge?.repositories || !live.allows(repository)) return []
    const baseUrl = addressOf(source, forge, means.config.providerHosts)
    return baseUrl === undefined ? [] : [{ live, baseUrl, repositories: forge.repositories }]
  })
  const rank = ({ live: { source } }: Askable): string =>
    `${source.checkoutCredentialRef === null ? 0 : 1} ${source.id}`
  return asking.sort((a, b) => (rank(a) < rank(b) ? 1 : -1)).slice(0, MAX_ASKED)
}

function ask(
  means: BranchMeans,
  { live: { source }, baseUrl, repositories }: Askable,
  repository: string,
  signal: AbortSignal,
): Promise<ForgeAnswer<readonly ForgeBranch[]>> {
  const wish = wishOf(source, { baseUrl, repository, uses: ['read'] })
  const memory = means.branchMemory.of({ sourceId: source.id, ref: wish.ref, baseUrl, repository })
  return means.gitApps.call(wish, signal, (token) =>
    repositories.listBranches({ baseUrl, token, signal }, repository, memory),
  )
}

function notConnected(repository: string): Error {
  const detail =
    `No source that you may see knows the repository ${repository}. The allowlist of a source must admit the repository, ` +
    'its base_url must be known, and its credential must see the repository at the provider.'
  return platformProblem('not_found', detail)
}

import type { ForgeAnswer, ForgeBranch, ForgeOpenPull } from '#adapters/forges'
import type { HeadPlace } from './find-head-places.ts'

/** All heads of a repository are noted in one row. */
const MOST_HEADS = 20_000

/** What the provider shows now. */
export interface SeenHeads {
  /** Before it was asked. */
  readonly at: Date
  readonly branches: readonly ForgeBranch[]
  /** Null: the repository has no pull requests, or shows none to the credential. */
  readonly pulls: readonly ForgeOpenPull[] | null
}

export async function seeHeads(place: HeadPlace, at: Date): Promise<ForgeAnswer<SeenHeads>> {
  const pulls = await place.listOpenPulls()
  if (pulls.outcome === 'failed' && !(pulls.cause === 'refused' && pulls.status === 403)) return pulls
  const branches = await place.listBranches()
  if (branches.outcome !== 'found') return branches
  const shown = pulls.outcome === 'found' ? pulls.value : null
  if (Math.max(branches.value.length, shown?.length ?? 0) >= MOST_HEADS) {
    const reason = `${place.repository} has more branches or open pull requests than are compared (${MOST_HEADS}).`
    return { outcome: 'failed', reason, retry: false }
  }
  return { outcome: 'found', value: { at, branches: branches.value, pulls: shown } }
}

import type { CommitStatus, ForgeAnswer, ForgeStatus } from '#adapters/forges'
import type { RunStanding } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { describeRun } from '../rules/index.ts'
import type { FoundReport } from './find-report.ts'
import { pageOf } from './page-of.ts'

export function describeAsStatus(
  means: Means,
  { repository, ref, place }: FoundReport,
  run: RunStanding,
): CommitStatus {
  const { state, description } = describeRun(run)
  const { commitSha, context } = place
  return { repository, commitSha, ref, state, context, description, targetUrl: pageOf(means, run.id) }
}

export async function tellStatus(
  means: Means,
  { source, baseUrl, repository }: FoundReport,
  { teller, status }: { readonly teller: { readonly status: ForgeStatus }; readonly status: CommitStatus },
  ends: AbortSignal,
): Promise<ForgeAnswer<null>> {
  const { teamPath, checkoutCredentialRef: ref } = source
  const wish = { ref, teamPath, repository, uses: ['statuses'], baseUrl } as const
  return await means.gitApps.call(wish, ends, (token) => teller.status.report({ baseUrl, token, signal: ends }, status))
}

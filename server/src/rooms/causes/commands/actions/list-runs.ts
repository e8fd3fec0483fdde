import type { Caller } from '#platform/http'
import type { PullRequestRun } from '#rooms/execution/runs'
import type { AskedCommand } from './command-effect.ts'

const MOST = 200

/**
 * The newest runs of the pull request that the caller may see, newest first. A repository of the same name at another
 * provider is another one.
 */
export async function listRuns(
  { means, row, source }: AskedCommand,
  caller: Caller,
): Promise<readonly PullRequestRun[]> {
  const asked = { repository: row.repository, pullRequest: row.pullRequest, limit: MOST }
  const runs = await means.runs.listOfPullRequest(means.database.kysely, asked)
  return runs.filter(
    ({ clone_url: cloneUrl, team_path: teamPath }) =>
      cloneUrl !== null && source.owns(cloneUrl) && caller.can('run.read', teamPath),
  )
}

/** The newest run of each pipeline and scope. */
export function newestOfEach(runs: readonly PullRequestRun[]): readonly PullRequestRun[] {
  const seen = new Map<string, PullRequestRun>()
  for (const run of runs) {
    const key = `${run.pipeline_identifier} ${run.scope}`
    if (!seen.has(key)) seen.set(key, run)
  }
  return [...seen.values()]
}

import type { Caller } from '#platform/http'
import type { Clue, FoundByClue } from '#platform/room'
import type { Means } from '../means.ts'
import { listRuns, type RunFilter } from '../store/list-runs.ts'

/** The newest visible runs of a repository, a branch or a pull request. Ids and commits are found by `searchRuns`. */
export async function findRuns(
  means: Means,
  caller: Caller,
  clue: Clue,
  limit: number,
): Promise<readonly FoundByClue[]> {
  const asked = askedBy(clue)
  if (!asked) return []
  const prefixes = caller.prefixes('run.read')
  const runs = await listRuns(means.database.kysely, { ...asked.filter, prefixes, before: undefined, limit })
  return runs.map((run) => ({
    kind: 'run',
    id: run.id,
    name: run.pipeline_identifier,
    teamPath: run.team_path,
    why: asked.why,
    told: [run.repository, run.branch, run.commit_sha?.slice(0, 8)].filter((part) => part).join(' ') || null,
  }))
}

interface Asked {
  readonly filter: Pick<RunFilter, 'repository' | 'branch' | 'pullRequest'>
  readonly why: string
}

function askedBy(clue: Clue): Asked | undefined {
  switch (clue.kind) {
    case 'pull_request':
      return {
        filter: { repository: clue.repository, pullRequest: clue.number },
        why: 'It is of this pull request.',
      }
    case 'repository':
      return { filter: { repository: clue.repository }, why: 'It is of this repository.' }
    case 'branch':
      return { filter: { branch: clue.branch, repository: clue.repository }, why: 'It is of this branch.' }
    default:
      return undefined
  }
}

import { platformProblem } from '#platform/problems'
import { refsOf } from '../rules/index.ts'

interface AskedChange {
  readonly repository?: string | undefined
  readonly commit_sha?: string | undefined
  readonly ref?: string | undefined
}

/** The filter of a list by a commit and a ref. Throws invalid_request (400) for a ref of no repository. */
export function narrowedBy({ repository, commit_sha: commit, ref }: AskedChange) {
  if (ref !== undefined && repository === undefined) {
    const message = 'needs repository: a ref is one of a repository'
    throw platformProblem('invalid_request', `ref ${message}.`, { errors: [{ field: 'ref', message }] })
  }
  return { commit: commit?.toLowerCase(), refs: ref === undefined ? undefined : refsOf(ref) }
}

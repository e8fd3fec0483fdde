import { type ChangedPaths, readChangedPaths } from '../changed-paths.ts'
import type { Changes } from '../changes-when-asked.ts'
import { readCommits } from '../commits.ts'
import { isRef, isZeroSha, readSha } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { children } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'
import { readPusher } from './person.ts'

/**
 * `push` and `tag_push`: commits on a branch, or the creation, move or deletion of a branch or a tag. GitLab says neither
 * whether a push was forced nor when it came.
 */
export function readPush(delivered: DeliveredFromRepository): Reading {
  const { payload, repository } = delivered
  const ref = payload['ref']
  if (typeof ref !== 'string' || !isRef(ref)) return unreadable(delivered, 'The push names no valid full ref.')
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null
  const tag = ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : null
  if (branch === null && tag === null) {
    return nothingRunnable(delivered, repository, 'The pushed ref is neither a branch nor a tag.')
  }

  const before = readSha(payload['before']) ?? null
  const moved = { ref, branch, tag, before, sender: readPusher(payload) }
  if (isZeroSha(payload['after'])) {
    return oneEvent(delivered, {
      ...moved,
      kind: branch === null ? 'tag_deleted' : 'branch_deleted',
      action: 'deleted',
    })
  }
  // The `after` of an annotated tag is the tag itself; the commit that it stands for is `checkout_sha`.
  const after = readSha(payload['checkout_sha']) ?? readSha(payload['after'])
  if (after === undefined) return unreadable(delivered, 'The push names no commit after it.')

  const kind = branch === null ? 'tag' : 'push'
  return oneEvent(delivered, { ...moved, kind, action: before === null ? 'created' : 'updated', after }, () =>
    readChanges(payload, before !== null),
  )
}

function readChanges(payload: JsonObject, comparable: boolean): Changes {
  const { paths, complete } = readPaths(payload, comparable)
  const commits = readCommits(children(payload, 'commits'))
  return { commits, changed_paths: paths, changed_paths_complete: complete }
}

/**
 * GitLab names the newest 20 commits and counts all; a system hook names none. A branch that moved without any new commit
 * was put back: what that took away is not named.
 */
function readPaths(payload: JsonObject, comparable: boolean): ChangedPaths {
  const commits = payload['commits']
  const listed: readonly unknown[] = Array.isArray(commits) ? commits : []
  const whole = comparable && listed.length > 0 && payload['total_commits_count'] === listed.length
  return readChangedPaths(listed, { whole })
}

import { type ChangedPaths, readChangedPaths } from '../changed-paths.ts'
import type { Changes } from '../changes-when-asked.ts'
import { readCommits } from '../commits.ts'
import { isRef, isZeroSha, readSha } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { child, children, flag, moment, name } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { readPushedCommit } from '../pushed-commit.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'

/** GitHub leaves out commits beyond this number and files beyond this number of each commit. */
const MAX_COMMITS = 2_048
const MAX_FILES_OF_COMMIT = 3_000

/** `push`: commits on a branch, a tag, or the creation, forced move or deletion of either. */
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
  const after = readPushedCommit(payload, tag)
  const moved = {
    ref,
    branch,
    tag,
    before,
    forced: flag(payload, 'forced'),
    sender: readPusher(delivered),
    occurred_at: moment(child(payload, 'repository'), 'pushed_at'),
  }
  if (flag(payload, 'deleted') === true || isZeroSha(payload['after'])) {
    return oneEvent(delivered, {
      ...moved,
      kind: branch === null ? 'tag_deleted' : 'branch_deleted',
      action: 'deleted',
    })
  }
  if (after === null) return unreadable(delivered, 'The push names no commit after it.')

  const created = flag(payload, 'created') === true || before === null
  const kind = branch === null ? 'tag' : 'push'
  return oneEvent(delivered, { ...moved, kind, action: created ? 'created' : 'updated', after }, () =>
    readChanges(payload, !created && moved.forced === false),
  )
}

function readChanges(payload: JsonObject, comparable: boolean): Changes {
  const { paths, complete } = readPaths(payload, comparable)
  const commits = readCommits(children(payload, 'commits'))
  return { commits, changed_paths: paths, changed_paths_complete: complete }
}

/** The account that pushed; GitHub sends its e-mail address apart, as the pusher's. */
function readPusher({ payload, sender }: DeliveredFromRepository) {
  return sender && { ...sender, email: sender.email ?? name(child(payload, 'pusher'), 'email') }
}

/** A new branch without new commits names its paths in the head commit only. */
function readPaths(payload: JsonObject, comparable: boolean): ChangedPaths {
  const commits = payload['commits']
  const listed: readonly unknown[] = Array.isArray(commits) ? commits : []
  return readChangedPaths([...listed, payload['head_commit']], {
    whole: comparable && Array.isArray(commits) && commits.length < MAX_COMMITS,
    maxFiles: MAX_FILES_OF_COMMIT,
  })
}

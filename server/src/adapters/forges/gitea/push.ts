import { type ChangedPaths, readChangedPaths } from '../changed-paths.ts'
import type { Changes } from '../changes-when-asked.ts'
import { readCommits } from '../commits.ts'
import { isRef, isZeroSha, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, name } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { readPushedCommit } from '../pushed-commit.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'
import type { Dialect } from './dialect.ts'

/**
 * `push`: commits on a branch, or a tag that came or went. Whether a push was forced is not said. The button "Test
 * delivery" sends a push that changes nothing: before and after are the same commit, or both zero in an empty repository.
 */
export function readPush(delivered: DeliveredFromRepository, { title }: Dialect): Reading {
  const { payload, repository, sender } = delivered
  const ref = payload['ref']
  if (typeof ref !== 'string' || !isRef(ref)) return unreadable(delivered, 'The push names no valid full ref.')
  if (isTest(payload)) {
    const reason = `A test delivery of ${title}: before and after are the same commit. The webhook is set up.`
    return nothingRunnable(delivered, repository, reason, 'ping')
  }
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null
  const tag = ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : null
  if (branch === null && tag === null) {
    return nothingRunnable(delivered, repository, 'The pushed ref is neither a branch nor a tag.')
  }

  const before = readSha(payload['before']) ?? null
  const after = readPushedCommit(payload, tag)
  const email = name(child(payload, 'pusher'), 'email')
  const moved = { ref, branch, tag, before, sender: sender && { ...sender, email: email ?? sender.email } }
  if (isZeroSha(payload['after'])) {
    return oneEvent(delivered, {
      ...moved,
      kind: branch === null ? 'tag_deleted' : 'branch_deleted',
      action: 'deleted',
    })
  }
  if (after === null) return unreadable(delivered, 'The push names no commit after it.')

  const kind = branch === null ? 'tag' : 'push'
  return oneEvent(delivered, { ...moved, kind, action: before === null ? 'created' : 'updated', after }, () =>
    readChanges(payload, after, before !== null),
  )
}

function readChanges(payload: JsonObject, after: string, comparable: boolean): Changes {
  const { paths, complete } = readPaths(payload, comparable)
  // Gitea lists the newest commit first.
  const commits = readCommits(listedCommits(payload, after).toReversed())
  return { commits, changed_paths: paths, changed_paths_complete: complete }
}

function isTest(payload: JsonObject): boolean {
  const { before, after } = payload
  return typeof before === 'string' && before !== '' && before === after
}

/** A tag lists no commits: its one is the head commit. */
function listedCommits(payload: JsonObject, after: string): readonly JsonObject[] {
  const listed = children(payload, 'commits')
  const head = payload['head_commit']
  return listed.length === 0 && isObject(head) && head['id'] === after ? [head] : listed
}

/**
 * The list of commits is cut (5 by default), so `total_commits` tells whether any is missing; Gogs has no such figure.
 * No commit at all means that the branch went back, and the changed files are then unknown.
 */
function readPaths(payload: JsonObject, comparable: boolean): ChangedPaths {
  const commits = payload['commits']
  const listed: readonly unknown[] = Array.isArray(commits) ? commits : []
  const head = payload['head_commit']
  const whole = comparable && listed.length > 0 && listed.length === payload['total_commits']
  return readChangedPaths(isObject(head) ? [...listed, head] : listed, { whole })
}

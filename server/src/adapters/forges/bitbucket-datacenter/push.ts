import type { EventCommit } from '@signalbox/contracts/event'
import { readCommits } from '../commits.ts'
import { isRef, isZeroSha, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, moment, name } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, unreadable } from '../reading.ts'
import { type RefChange, readRefChanges } from '../ref-changes.ts'

/**
 * `repo:refs_changed`: each of `changes` is a ref that was made, moved or removed. No paths are named, and whether a move
 * was forced is not said. Newer versions name a few commits, for all changes together.
 */
export function readRefsChanged(delivered: DeliveredFromRepository): Reading {
  const { payload } = delivered
  const { changes } = payload
  if (!Array.isArray(changes)) return unreadable(delivered, 'The push holds no list of changes.')
  const commits = changes.length === 1 ? describeCommits(payload) : []
  return readRefChanges(
    delivered,
    changes.map((change) => (isObject(change) ? readChange(change, commits) : undefined)),
    moment(payload, 'date'),
  )
}

function readChange(change: JsonObject, commits: EventCommit[]): RefChange | undefined {
  const ref = name(child(change, 'ref'), 'id') ?? name(change, 'refId')
  if (ref === null || !isRef(ref)) return undefined
  // A ref that is new has no commit before it, whatever is named.
  const before = change['type'] === 'ADD' ? null : (readSha(change['fromHash']) ?? null)
  const after = readSha(change['toHash']) ?? null
  const gone = change['type'] === 'DELETE' || isZeroSha(change['toHash'])
  if (gone ? before === null : after === null) return undefined
  return { ref, before, after: gone ? null : after, forced: null, commits: gone ? [] : commits }
}

/** Newest first as they come; where a version sends no list, the commit that the ref now points to. */
function describeCommits(payload: JsonObject): EventCommit[] {
  const listed = children(payload, 'commits')
  const { toCommit } = payload
  const commits = listed.length === 0 && isObject(toCommit) ? [toCommit] : listed.toReversed()
  return readCommits(commits.map(describeCommit))
}

/** In the words of `readCommits`. */
function describeCommit(commit: JsonObject): JsonObject {
  const author = child(commit, 'author')
  const { authorTimestamp } = commit
  return {
    id: commit['id'],
    message: commit['message'],
    author: { name: author['displayName'] ?? author['name'], email: author['emailAddress'] },
    timestamp: typeof authorTimestamp === 'number' ? authorTimestamp / 1_000 : authorTimestamp,
  }
}

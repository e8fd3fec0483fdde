import { readCommits } from '../commits.ts'
import { isRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, flag } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, unreadable } from '../reading.ts'
import { type RefChange, readRefChanges } from '../ref-changes.ts'
import { readAuthor } from './account.ts'

/**
 * `repo:push`: each of `changes` is a branch or tag that was made, moved or removed. Bitbucket names the five newest
 * commits of a change and no paths at all, so that changed paths are unknown until someone compares.
 */
export function readPush(delivered: DeliveredFromRepository): Reading {
  const { changes } = child(delivered.payload, 'push')
  if (!Array.isArray(changes)) return unreadable(delivered, 'The push holds no list of changes.')
  return readRefChanges(
    delivered,
    changes.map((change) => (isObject(change) ? readChange(change) : undefined)),
    null,
  )
}

function readChange(change: JsonObject): RefChange | undefined {
  const gone = change['new'] === null
  const ref = readFullRef(child(change, gone ? 'old' : 'new'))
  const before = readSha(child(child(change, 'old'), 'target')['hash']) ?? null
  const after = readSha(child(child(change, 'new'), 'target')['hash']) ?? null
  if (ref === undefined || (gone ? before === null : after === null)) return undefined
  const commits = children(change, 'commits').map(describeCommit).toReversed()
  return { ref, before, after, forced: flag(change, 'forced'), commits: readCommits(commits) }
}

/** Built from the declared type: a branch may itself be called "refs/tags/v1". */
function readFullRef(ref: JsonObject): string | undefined {
  const namespaces: Readonly<Record<string, string>> = { branch: 'heads', tag: 'tags' }
  const { type, name } = ref
  const namespace = typeof type === 'string' && Object.hasOwn(namespaces, type) ? namespaces[type] : undefined
  const full = `refs/${namespace}/${typeof name === 'string' ? name : ''}`
  return namespace !== undefined && isRef(full) ? full : undefined
}

/** In the words of `readCommits`. */
function describeCommit(commit: JsonObject): JsonObject {
  const author = readAuthor(commit)
  return {
    id: commit['hash'],
    message: commit['message'],
    author,
    timestamp: commit['date'],
    url: child(child(commit, 'links'), 'html')['href'],
  }
}

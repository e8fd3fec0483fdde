import type { EventCommit } from '@signalbox/contracts/event'
import { readCommits } from '../commits.ts'
import { isRef, isZeroSha, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, moment, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, unreadable } from '../reading.ts'
import { type RefChange, readRefChanges } from '../ref-changes.ts'
import { readIdentity } from './identity.ts'

/**
 * `git.push`: each of `refUpdates` is a ref that was made, moved or removed. No paths are named, and whether a move was
 * forced is not said. The commits are those of the whole push.
 */
export function readPush(delivered: DeliveredFromRepository, resource: JsonObject): Reading {
  const { refUpdates: updates } = resource
  if (!Array.isArray(updates)) return unreadable(delivered, 'The push holds no list of ref updates.')
  const commits = updates.length === 1 ? readListed(children(resource, 'commits'), child({ 0: updates[0] }, '0')) : []
  return readRefChanges(
    { ...delivered, sender: readIdentity(resource, 'pushedBy') },
    updates.map((update) => (isObject(update) ? readUpdate(update, commits) : undefined)),
    moment(resource, 'date') ?? moment(delivered.payload, 'createdDate'),
  )
}

function readUpdate(update: JsonObject, commits: EventCommit[]): RefChange | undefined {
  const { name: ref, oldObjectId, newObjectId } = update
  if (typeof ref !== 'string' || !isRef(ref)) return undefined
  const before = readSha(oldObjectId) ?? null
  const after = readSha(newObjectId) ?? null
  const gone = isZeroSha(newObjectId)
  if (gone ? before === null : after === null) return undefined
  return { ref, before, after, forced: null, commits: gone ? [] : commits }
}

/** Newest first as they come, unless the newest is the last. */
function readListed(commits: readonly JsonObject[], { newObjectId }: JsonObject): EventCommit[] {
  const oldestFirst = commits.length > 1 && commits.at(-1)?.['commitId'] === newObjectId
  return readCommits((oldestFirst ? commits : commits.toReversed()).map(describeCommit))
}

/** In the words of `readCommits`. The address of a commit here is mostly the API's, which is not for people. */
function describeCommit(commit: JsonObject): JsonObject {
  const author = child(commit, 'author')
  const page = webUrl(commit, 'url')
  return {
    id: commit['commitId'],
    message: commit['comment'],
    author: { name: author['name'], email: author['email'] },
    timestamp: author['date'],
    url: page?.includes('/_git/') ? page : null,
  }
}

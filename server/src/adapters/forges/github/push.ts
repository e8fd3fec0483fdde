import type { EventCommit } from '@signalbox/contracts/event'
import { isRef, isZeroSha, readSha } from '../git-names.ts'
import type { JsonObject } from '../json-scan.ts'
import { child, children, flag, moment, name, text, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { readChangedPaths } from './changed-paths.ts'
import { readPerson } from './person.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from './reading.ts'

/** The newest commits that an event keeps. Paths are read from all of them. */
const KEPT_COMMITS = 100
const MAX_MESSAGE = 4_096

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
  const after = readSha(payload['after']) ?? null
  const moved = {
    ref,
    branch,
    tag,
    before,
    forced: flag(payload, 'forced'),
    sender: readSender(payload),
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
  const changed = readChangedPaths(payload, !created && moved.forced === false)
  return oneEvent(delivered, {
    ...moved,
    kind: branch === null ? 'tag' : 'push',
    action: created ? 'created' : 'updated',
    after,
    commits: readCommits(payload),
    changed_paths: changed.paths,
    changed_paths_complete: changed.complete,
  })
}

/** The account that pushed; GitHub sends its e-mail address apart, as the pusher's. */
function readSender(payload: JsonObject) {
  const sender = readPerson(payload, 'sender')
  if (sender === null) return null
  return { ...sender, email: sender.email ?? name(child(payload, 'pusher'), 'email') }
}

function readCommits(payload: JsonObject): EventCommit[] {
  const commits: EventCommit[] = []
  for (const commit of children(payload, 'commits').slice(-KEPT_COMMITS)) {
    const sha = readSha(commit['id'])
    if (sha === undefined) continue
    commits.push({
      sha,
      message: text(commit, 'message', MAX_MESSAGE) ?? '',
      author: readPerson(commit, 'author'),
      timestamp: moment(commit, 'timestamp'),
      web_url: webUrl(commit, 'url'),
    })
  }
  return commits
}

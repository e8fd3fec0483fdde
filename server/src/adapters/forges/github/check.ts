import { readBareRef, readSha } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { child, children, id, moment } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'

/**
 * `check_run` and `check_suite`: only that somebody asks for them once more. Of a commit of a fork GitHub names no branch.
 */
export function readCheck(delivered: DeliveredFromRepository): Reading {
  const { payload, repository, action, eventType } = delivered
  if (action !== 'rerequested') {
    return nothingRunnable(delivered, repository, 'No trigger can use this action of a check.')
  }
  const check = child(payload, eventType)
  const suite = eventType === 'check_suite' ? check : child(check, 'check_suite')
  const after = readSha(check['head_sha'])
  if (after === undefined) return unreadable(delivered, 'The check names no commit.')
  const branch = isOfFork(check) ? null : readBareRef(suite['head_branch'], 'heads')
  return oneEvent(delivered, {
    kind: 'check',
    action,
    ref: branch === null ? null : `refs/heads/${branch}`,
    branch,
    after,
    occurred_at: moment(check, 'updated_at'),
  })
}

/** An event that says "fork" is believed. */
function isOfFork(check: JsonObject): boolean {
  return children(check, 'pull_requests').some((pullRequest) => {
    const [head, base] = [child(pullRequest, 'head'), child(pullRequest, 'base')]
    return id(child(head, 'repo'), 'id') !== id(child(base, 'repo'), 'id')
  })
}

import type { PullRequestEnd } from '@signalbox/contracts/event'
import { isFullName, readBareRef } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, id } from '../payload-fields.ts'
import type { PullRequestEnds } from '../reading.ts'

/** Gogs names branches and repositories side by side, and no commit at all: it has to be fetched by the ref. */
export function readFlatEnds(pullRequest: JsonObject): PullRequestEnds {
  return {
    head: readEnd(pullRequest, 'head'),
    base: readEnd(pullRequest, 'base'),
    from_fork: isFromFork(pullRequest),
  }
}

function readEnd(pullRequest: JsonObject, side: 'head' | 'base'): PullRequestEnd {
  const repository = child(pullRequest, `${side}_repo`)['full_name']
  return {
    ref: readBareRef(pullRequest[`${side}_branch`], 'heads'),
    sha: null,
    repository: typeof repository === 'string' && isFullName(repository) ? repository : null,
  }
}

/** A fork unless both repositories are there and have the same id. */
function isFromFork({ head_repo: head, base_repo: base }: JsonObject): boolean {
  if (!isObject(head) || !isObject(base)) return true
  const headId = id(head, 'id')
  return headId === null || headId !== id(base, 'id')
}

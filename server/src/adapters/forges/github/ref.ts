import { readBareRef } from '../git-names.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'

/**
 * `create` and `delete`: notices that accompany a push of the same meaning. They are of kind `ref`, which no trigger
 * matches by default, so that one change does not start its runs twice.
 */
export function readRefNotice(delivered: DeliveredFromRepository): Reading {
  const { payload, repository, eventType } = delivered
  const refType = payload['ref_type']
  if (refType === 'repository')
    return nothingRunnable(delivered, repository, 'A repository was created, and no ref yet.')
  if (refType !== 'branch' && refType !== 'tag')
    return unreadable(delivered, 'The ref_type is neither "branch" nor "tag".')

  // Built from the declared type: a branch may itself be called "refs/tags/v1".
  const namespace = refType === 'branch' ? 'heads' : 'tags'
  const bare = readBareRef(payload['ref'], namespace)
  if (bare === null) return unreadable(delivered, `The ${eventType} event names no valid ref.`)
  return oneEvent(delivered, {
    kind: 'ref',
    action: eventType === 'create' ? 'created' : 'deleted',
    ref: `refs/${namespace}/${bare}`,
    branch: refType === 'branch' ? bare : null,
    tag: refType === 'tag' ? bare : null,
  })
}

import type { EventKind } from '@signalbox/contracts/event'
import { readBareRef, readSha } from './git-names.ts'
import type { Reading } from './port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from './reading.ts'

/**
 * The meanings of a notice about a ref. `ref` stands for a notice that a push of the same meaning accompanies. No
 * trigger matches that kind by default, so that one change does not start its runs twice.
 */
export interface NoticeKinds {
  readonly created: { readonly branch: EventKind; readonly tag: EventKind }
  readonly deleted: { readonly branch: EventKind; readonly tag: EventKind }
}

/** `create` and `delete`: a branch or tag came or went, told by its bare name and its type. */
export function readRefNotice(delivered: DeliveredFromRepository, kinds: NoticeKinds): Reading {
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
  const action = eventType === 'create' ? 'created' : 'deleted'
  return oneEvent(delivered, {
    kind: kinds[action][refType],
    action,
    ref: `refs/${namespace}/${bare}`,
    branch: refType === 'branch' ? bare : null,
    tag: refType === 'tag' ? bare : null,
    after: action === 'created' ? (readSha(payload['sha']) ?? null) : null,
  })
}

import { MERGE_GROUP_ACTIONS } from '@signalbox/contracts/event'
import { isRef, readBareRef, readSha } from '../git-names.ts'
import { child, moment } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'

const ACTIONS: ReadonlySet<string> = new Set(MERGE_GROUP_ACTIONS)

/** `merge_group`: the commit that the merge queue made of pull requests that people with write access queued. */
export function readMergeGroup(delivered: DeliveredFromRepository): Reading {
  const { payload, repository, action } = delivered
  if (action === null || !ACTIONS.has(action)) {
    return nothingRunnable(delivered, repository, 'No trigger can use this action of a merge group.')
  }
  const group = child(payload, 'merge_group')
  const ref = group['head_ref']
  const after = readSha(group['head_sha']) ?? null
  if (typeof ref !== 'string' || !isRef(ref) || after === null) {
    return unreadable(delivered, 'The merge group names no valid ref and commit.')
  }
  const base = group['base_ref']
  return oneEvent(delivered, {
    kind: 'merge_group',
    action,
    ref,
    branch: readBareRef(typeof base === 'string' ? base.replace(/^refs\/heads\//, '') : base, 'heads'),
    before: readSha(group['base_sha']) ?? null,
    after,
    occurred_at: moment(child(group, 'head_commit'), 'timestamp'),
  })
}

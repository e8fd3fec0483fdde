import { readBareRef, readSha } from '../git-names.ts'
import { child, moment, name, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'

/** GitLab knows neither drafts nor pre-releases: a release that is made is published. */
const ACTIONS: ReadonlyMap<string | null, string> = new Map([
  ['create', 'published'],
  ['update', 'updated'],
  ['delete', 'deleted'],
])

/** `release`, with the commit of its tag. The event does not name its sender. */
export function readRelease(delivered: DeliveredFromRepository): Reading {
  const { payload, repository } = delivered
  const action = ACTIONS.get(delivered.action)
  if (action === undefined)
    return nothingRunnable(delivered, repository, 'No trigger can use this action of a release.')
  const tag = readBareRef(payload['tag'], 'tags')
  if (tag === null) return unreadable(delivered, 'The release names no valid tag.')
  return oneEvent(delivered, {
    kind: 'release',
    action,
    ref: `refs/tags/${tag}`,
    tag,
    after: readSha(child(payload, 'commit')['id']) ?? null,
    release: { tag, name: name(payload, 'name'), draft: null, prerelease: null, web_url: webUrl(payload, 'url') },
    occurred_at: action === 'published' ? moment(payload, 'created_at') : null,
  })
}

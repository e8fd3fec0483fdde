import { readBareRef } from '../git-names.ts'
import { child, flag, moment, name, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'

/** The neutral action for each action; other actions start nothing. */
export type ReleaseActions = ReadonlyMap<string, string>

const ACTIONS: ReleaseActions = new Map([
  ['created', 'created'],
  ['published', 'published'],
  ['released', 'released'],
  ['prereleased', 'prereleased'],
  ['edited', 'updated'],
  ['unpublished', 'unpublished'],
  ['deleted', 'deleted'],
])

/** `release`. */
export function readRelease(delivered: DeliveredFromRepository): Reading {
  return readReleaseEvent(delivered, ACTIONS)
}

/**
 * A release, by the actions that its provider has. The tag's commit is not in the payload: `target_commitish` is only what
 * a missing tag would be made from, so `after` stays null.
 */
export function readReleaseEvent(delivered: DeliveredFromRepository, actions: ReleaseActions): Reading {
  const action = delivered.action === null ? undefined : actions.get(delivered.action)
  if (action === undefined) {
    return nothingRunnable(delivered, delivered.repository, 'No trigger can use this action of a release.')
  }
  const release = child(delivered.payload, 'release')
  const tag = readBareRef(release['tag_name'], 'tags')
  if (tag === null) return unreadable(delivered, 'The release names no valid tag.')
  return oneEvent(delivered, {
    kind: 'release',
    action,
    ref: `refs/tags/${tag}`,
    tag,
    release: {
      tag,
      name: name(release, 'name'),
      draft: flag(release, 'draft'),
      prerelease: flag(release, 'prerelease'),
      web_url: webUrl(release, 'html_url'),
    },
    occurred_at: occurredAt(delivered),
  })
}

/** A release carries the times of its creation and publication only. */
function occurredAt({ action, payload }: DeliveredFromRepository): string | null {
  const release = child(payload, 'release')
  switch (action) {
    case 'created':
      return moment(release, 'created_at')
    case 'published':
    case 'released':
    case 'prereleased':
      return moment(release, 'published_at')
    default:
      return null
  }
}

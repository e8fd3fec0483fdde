import type { EventComment } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, id, moment, name, text, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'
import { mergeRequestPlace, readMergeRequest } from './merge-request.ts'

const MAX_BODY = 65_536
const MAX_PATH = 4_096

/** GitLab says which it is since 16.11; before, a note was told only when it was made. */
const ACTIONS: ReadonlyMap<string | null, string> = new Map([
  [null, 'created'],
  ['create', 'created'],
  ['update', 'edited'],
])

/** `note`: a comment, also a confidential one, on a merge request (the only ones that count here) or on anything else. */
export function readNote(delivered: DeliveredFromRepository): Reading {
  const { payload, repository } = delivered
  const note = child(payload, 'object_attributes')
  if (note['noteable_type'] !== 'MergeRequest') {
    return nothingRunnable(delivered, repository, 'The comment is not on a merge request.')
  }
  if (note['system'] === true) return nothingRunnable(delivered, repository, 'GitLab itself wrote the comment.')
  const action = ACTIONS.get(delivered.action)
  if (action === undefined)
    return nothingRunnable(delivered, repository, 'No trigger can use this action of a comment.')

  const mergeRequest = readMergeRequest(delivered, child(payload, 'merge_request'))
  if (mergeRequest === undefined) {
    return unreadable(delivered, 'The event holds no comment on a merge request with a number.')
  }
  return oneEvent(delivered, {
    ...mergeRequestPlace(mergeRequest),
    kind: 'pull_request_comment',
    action,
    comment: describeNote(delivered, note),
    occurred_at: moment(note, 'updated_at') ?? moment(note, 'created_at'),
  })
}

function describeNote({ sender }: DeliveredFromRepository, note: JsonObject): EventComment {
  return {
    id: id(note, 'id'),
    body: text(note, 'note', MAX_BODY) ?? '',
    author: sender,
    author_is_member: null,
    path: pathOf(note),
    web_url: webUrl(note, 'url'),
  }
}

/** The commented file, of a comment on a line. */
function pathOf(note: JsonObject): string | null {
  const place = isObject(note['position']) ? note['position'] : child(note, 'st_diff')
  return name(place, 'new_path') === null ? null : text(place, 'new_path', MAX_PATH)
}

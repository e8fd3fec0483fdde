import { readJsonBody } from '../json-body.ts'
import type { JsonObject } from '../json-object.ts'
import { child, name } from '../payload-fields.ts'
import type { Reading, WebhookHeaders } from '../port.ts'
import { type Delivered, type DeliveredFromRepository, nothingRunnable, unreadable } from '../reading.ts'
import { deliveryId, hookName } from './headers.ts'
import { readMergeRequestEvent } from './merge-request.ts'
import { readNote } from './note.ts'
import { readUser } from './person.ts'
import { PROJECT_NOTICES, readNoticedProject, readProject, readProjectNotice } from './project.ts'
import { readPush } from './push.ts'
import { readRelease } from './release.ts'

/** The kinds that become events, and notices about projects. All others are understood and carry nothing runnable. */
const READERS: ReadonlyMap<string, (delivered: DeliveredFromRepository) => Reading> = new Map([
  ['push', readPush],
  ['tag_push', readPush],
  ['merge_request', readMergeRequestEvent],
  ['note', readNote],
  ['release', readRelease],
])

/** The events to set at GitLab instead of these. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['repository_update', 'A repository_update does not say enough; tick push and tag push events in the system hook.'],
])

/** Reads one delivery of GitLab by its body: a system hook has the same header for everything. */
export function read(headers: WebhookHeaders, rawBody: Buffer): Reading {
  const body = readJsonBody(headers, rawBody)
  if (!body.ok) return { kind: 'unreadable', eventType: hookName(headers), reason: body.reason }
  const { payload } = body
  const type = kindOf(payload)
  if (type === null) {
    const reason = 'The body has no object_kind; clear the custom webhook template at GitLab, if there is one.'
    return { kind: 'unreadable', eventType: hookName(headers), reason }
  }
  const delivered: Delivered = {
    provider: 'gitlab',
    eventType: type,
    action: name(child(payload, 'object_attributes'), 'action') ?? name(payload, 'action'),
    deliveryId: deliveryId(headers),
    sender: readUser(payload),
    payload,
    note: body.note,
  }
  const notice = PROJECT_NOTICES.get(type)
  const repository = notice === undefined ? readProject(payload) : readNoticedProject(payload)
  const reader =
    notice === undefined ? READERS.get(type) : (found: DeliveredFromRepository) => readProjectNotice(found, notice)
  if (reader === undefined) {
    const advice = ADVICE.get(type) ?? `No trigger can use ${type} events; they need not be ticked at GitLab.`
    return nothingRunnable(delivered, repository, advice)
  }
  if (repository === null) return unreadable(delivered, 'The event names no project as "group/name".')
  return reader({ ...delivered, repository })
}

/** GitLab's own word for the event: that of the body, else the header's. */
export function eventType(headers: WebhookHeaders, rawBody: Buffer): string | null {
  const body = readJsonBody(headers, rawBody)
  return (body.ok ? kindOf(body.payload) : null) ?? hookName(headers)
}

/** `object_kind`; notices of system hooks and of groups have only `event_name`. */
export function kindOf(payload: JsonObject): string | null {
  const kind = name(payload, 'object_kind') ?? name(payload, 'event_name')
  return kind !== null && /^[a-z0-9_]{1,100}$/.test(kind) ? kind : null
}

import { completeEvent, type Event } from '@signalbox/contracts/event'
import { readJsonBody } from '../json-body.ts'
import type { JsonObject } from '../json-object.ts'
import { moment, name } from '../payload-fields.ts'
import type { Reading, WebhookHeaders } from '../port.ts'
import { deliveryId, findEvent, typeOf } from './names.ts'
import { readPosted } from './posted.ts'

/** As for every provider: the newest commits, the beginning of a message, paths of this many characters in all. */
const KEPT_COMMITS = 100
const MAX_MESSAGE = 4_096
const MAX_PATHS = 1_048_576

/** Reads a neutral event, as the body itself or in the envelope of Standard Webhooks, `{type, timestamp, data}`. */
export function read(headers: WebhookHeaders, rawBody: Buffer): Reading {
  const body = readJsonBody(headers, rawBody)
  if (!body.ok) return { kind: 'unreadable', eventType: null, reason: body.reason }
  const { payload } = body
  const eventType = typeOf(payload)
  const found = findEvent(payload)
  if (found === undefined) return explainNone(payload, eventType)

  const checked = readPosted(found, found === payload ? '' : 'data.')
  if (!checked.ok) return { kind: 'unreadable', eventType, reason: checked.reason }
  const { posted } = checked
  const action = posted.action ?? null
  if (posted.kind === 'ping') {
    const { full_name: repository } = posted.repository
    return { ...PING, eventType: eventType ?? 'ping', action, repository }
  }
  const event = completeEvent({
    ...posted,
    delivery_id: deliveryId(headers, rawBody),
    occurred_at: moment(found, 'occurred_at') ?? moment(payload, 'timestamp'),
  })
  const { note } = body
  const events = [bounded(event)] as const
  return {
    kind: 'events',
    eventType: eventType ?? posted.kind,
    action,
    events,
    ...(note === undefined ? {} : { note }),
  }
}

const PING = {
  kind: 'nothing_runnable',
  cause: 'ping',
  reason: 'A ping: the webhook is set up.',
} as const

/** An envelope with other content is understood; a body that is neither envelope nor event is unreadable. */
function explainNone(payload: JsonObject, eventType: string | null): Reading {
  const type = name(payload, 'type')
  if (type === null || eventType === null) {
    return { kind: 'unreadable', eventType: null, reason: 'The field kind is required.' }
  }
  if (type === 'ping') return { ...PING, eventType, action: null, repository: null }
  const reason = 'The field data.kind is required: data must be a Git event.'
  return { kind: 'nothing_runnable', cause: 'unmapped', eventType, action: null, repository: null, reason }
}

function bounded(event: Event): Event {
  const commits = event.commits.slice(-KEPT_COMMITS).map((commit) => ({
    ...commit,
    message: commit.message.slice(0, MAX_MESSAGE).toWellFormed(),
    timestamp: moment(commit, 'timestamp'),
  }))
  let characters = 0
  const paths = event.changed_paths?.filter((path) => (characters += path.length) <= MAX_PATHS) ?? null
  const whole = characters <= MAX_PATHS
  return {
    ...event,
    commits,
    changed_paths: paths,
    changed_paths_complete: event.changed_paths_complete && paths !== null && whole,
  }
}

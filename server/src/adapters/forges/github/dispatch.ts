import { readBareRef } from '../git-names.ts'
import { isObject } from '../json-object.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, unreadable } from '../reading.ts'

const MAX_PAYLOAD = 65_536

/**
 * `repository_dispatch`: a person with write access asks for it, by a type and with data of their own. The event is
 * about a branch.
 */
export function readDispatch(delivered: DeliveredFromRepository): Reading {
  const { payload, repository, action: type } = delivered
  const data = storable(payload['client_payload'] ?? null)
  if (type === null) return unreadable(delivered, 'The event has no event_type.')
  if (JSON.stringify(data).length > MAX_PAYLOAD) {
    return unreadable(delivered, `client_payload is longer than ${MAX_PAYLOAD} characters.`)
  }
  const branch = readBareRef(payload['branch'], 'heads') ?? repository.default_branch
  return oneEvent(delivered, {
    kind: 'dispatch',
    action: 'requested',
    ref: branch === null ? null : `refs/heads/${branch}`,
    branch,
    dispatch: { type, payload: data },
  })
}

/** In a form that PostgreSQL can store: no NUL, no lone surrogate. The body's reader has bounded its depth. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return cleaned(value)
  if (Array.isArray(value)) return value.map(storable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleaned(key), storable(inner)]))
}

function cleaned(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

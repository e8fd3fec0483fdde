import { readBareRef } from '../git-names.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, unreadable } from '../reading.ts'

const MAX_PAYLOAD = 65_536

/** What PostgreSQL cannot store, as JSON writes it. */
const NOT_STORABLE = /\\u(?:0000|d[89a-f])/i

/** `repository_dispatch`: whoever may write asks for it, by a type and with data of their own. It is about a branch. */
export function readDispatch(delivered: DeliveredFromRepository): Reading {
  const { payload, repository, action: type } = delivered
  const data = payload['client_payload'] ?? null
  const text = JSON.stringify(data)
  if (type === null) return unreadable(delivered, 'The event has no event_type.')
  if (text.length > MAX_PAYLOAD || NOT_STORABLE.test(text)) {
    return unreadable(
      delivered,
      `client_payload is longer than ${MAX_PAYLOAD} characters, or holds NUL or half characters.`,
    )
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

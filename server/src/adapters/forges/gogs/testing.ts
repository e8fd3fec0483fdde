import { type DeliveryOverrides, aPushPayload as ofGitea, type PushOverrides, signWith } from '../gitea/testing.ts'

/** The body of a `push`: Gogs counts no commits and names no head commit. */
export function aPushPayload(overrides: PushOverrides = {}): Record<string, unknown> {
  const { total_commits: _total, head_commit: _head, ...payload } = ofGitea(overrides)
  return payload
}

/** Any payload as Gogs sends it: no header tells an exact type, and the only signature is its own. */
export function signDelivery(payload: unknown, delivery: DeliveryOverrides & { readonly secret: string }) {
  const { headers, body } = signWith(['gogs'], payload, delivery)
  const foreign = ['x-gogs-event-type', 'x-hub-signature', 'x-hub-signature-256', 'x-github-event-type']
  const own = Object.entries(headers).filter(([key]) => !foreign.includes(key))
  return { headers: { ...Object.fromEntries(own), ...delivery.headers }, body }
}

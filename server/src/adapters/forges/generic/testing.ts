import { createHmac } from 'node:crypto'

/** Builders of generic deliveries for tests: neutral events, and how their senders sign them. */

/** The body of a push of one commit to main of acme/widgets, unless overridden. */
export function aPushPayload(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    kind: 'push',
    action: 'updated',
    repository: {
      full_name: 'acme/widgets',
      clone_url: 'https://git.example/acme/widgets.git',
      default_branch: 'main',
    },
    ref: 'refs/heads/main',
    branch: 'main',
    before: 'a'.repeat(40),
    after: 'b'.repeat(40),
    ...overrides,
  }
}

/** An event in the envelope of Standard Webhooks. */
export function anEnvelope(data: unknown, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'git.push', timestamp: '2026-11-21T10:00:00.123456Z', data, ...overrides }
}

export interface SignedDelivery {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** By Standard Webhooks. The key is the part after `whsec_`, decoded, or the bytes of any other secret. */
export function signDelivery(
  payload: unknown,
  {
    secret,
    at,
    deliveryId = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  }: { readonly secret: string; readonly at: Date; readonly deliveryId?: string },
): SignedDelivery {
  const body = bytesOf(payload)
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
  const digest = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.`).update(body).digest('base64')
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': deliveryId,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${digest}`,
    },
    body,
  }
}

/** As GitHub signs: the body alone. */
export function signBareDelivery(payload: unknown, { secret }: { readonly secret: string }): SignedDelivery {
  const body = bytesOf(payload)
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  return { headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` }, body }
}

function bytesOf(payload: unknown): Buffer {
  return Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
}

import { createHmac } from 'node:crypto'

/** Builders of Bitbucket Cloud's deliveries for tests, with their signatures. */

const ACTOR = {
  type: 'user',
  display_name: 'Mona Lisa',
  nickname: 'mona',
  uuid: '{d301aafa-d676-4ee0-88be-962be7417567}',
  account_id: '557058:ba8948b2-49da-43a9-9e8b-e7249b8e324a',
}

export interface ChangeOverrides {
  readonly type?: 'branch' | 'tag'
  readonly name?: string
  /** Null: the ref is new. */
  readonly before?: string | null
  /** Null: the ref is gone. */
  readonly after?: string | null
  readonly forced?: boolean
}

/** One of the changes of a push: a commit on main, unless overridden. */
export function aChange(overrides: ChangeOverrides = {}): Record<string, unknown> {
  const { type = 'branch', name = 'main', before = 'a'.repeat(40), after = 'b'.repeat(40), forced = false } = overrides
  const ref = (hash: string) => ({ type, name, target: aCommit(hash) })
  return {
    old: before === null ? null : ref(before),
    new: after === null ? null : ref(after),
    created: before === null,
    closed: after === null,
    forced,
    truncated: false,
    commits: after === null ? [] : [aCommit(after)],
  }
}

export function aCommit(hash: string): Record<string, unknown> {
  return {
    type: 'commit',
    hash,
    date: '2026-11-21T10:00:00+00:00',
    message: 'Turn the signal to green\n',
    author: { type: 'author', raw: 'Mona Lisa <mona@example.com>', user: ACTOR },
    links: { html: { href: `https://bitbucket.org/acme/widgets/commits/${hash}` } },
  }
}

export interface PushOverrides {
  readonly fullName?: string
  readonly changes?: readonly unknown[]
}

/** The body of a `repo:push`: one commit on main of acme/widgets, unless overridden. */
export function aPushPayload({
  fullName = 'acme/widgets',
  changes = [aChange()],
}: PushOverrides = {}): Record<string, unknown> {
  return {
    actor: ACTOR,
    repository: {
      type: 'repository',
      uuid: '{898477b2-a080-4089-b385-597a783db392}',
      name: fullName.split('/').at(-1),
      full_name: fullName,
      is_private: true,
      links: { html: { href: `https://bitbucket.org/${fullName}` } },
    },
    push: { changes },
  }
}

export interface SignedDelivery {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface DeliveryOverrides {
  readonly event?: string
  readonly deliveryId?: string
}

/** Any payload as Bitbucket sends it: headers in lower case, the signature over the very bytes of the body. */
export function signDelivery(
  payload: unknown,
  {
    secret,
    event = 'repo:push',
    deliveryId = '5b5f2b0e-8d0f-4d3c-9a44-0a9a7ef0f2c1',
  }: DeliveryOverrides & { readonly secret: string },
): SignedDelivery {
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Bitbucket-Webhooks/2.0',
      'x-attempt-number': '1',
      'x-event-key': event,
      'x-hook-uuid': '0302255c-f4f0-4232-916b-bef521fbdd08',
      'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      'x-request-uuid': deliveryId,
    },
    body,
  }
}

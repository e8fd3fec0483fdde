import { createHmac } from 'node:crypto'

/** Builders of Bitbucket Data Center's deliveries for tests, with their signatures. */

const ZERO = '0'.repeat(40)

export interface ChangeOverrides {
  readonly ref?: string
  /** Forty zeros: the ref is new. */
  readonly from?: string
  /** Forty zeros: the ref is gone. */
  readonly to?: string
}

/** One of the changes of a push: a commit on main, unless overridden. */
export function aChange(overrides: ChangeOverrides = {}): Record<string, unknown> {
  const { ref = 'refs/heads/main', from = 'a'.repeat(40), to = 'b'.repeat(40) } = overrides
  return {
    ref: {
      id: ref,
      displayId: ref.replace(/^refs\/[^/]+\//, ''),
      type: ref.startsWith('refs/tags/') ? 'TAG' : 'BRANCH',
    },
    refId: ref,
    fromHash: from,
    toHash: to,
    type: changeType(from, to),
  }
}

function changeType(from: string, to: string): string {
  if (from === ZERO) return 'ADD'
  return to === ZERO ? 'DELETE' : 'UPDATE'
}

export interface PushOverrides {
  /** The project's key; "~" and a user's name for a personal one. */
  readonly key?: string
  readonly slug?: string
  readonly changes?: readonly unknown[]
}

/** The body of a `repo:refs_changed`: one commit on main of ACME/widgets, unless overridden. */
export function aPushPayload(overrides: PushOverrides = {}): Record<string, unknown> {
  const { key = 'ACME', slug = 'widgets', changes = [aChange()] } = overrides
  const base = 'https://bitbucket.example.com'
  return {
    eventKey: 'repo:refs_changed',
    date: '2026-11-21T10:00:00+0000',
    actor: {
      name: 'mona',
      emailAddress: 'mona@example.com',
      active: true,
      displayName: 'Mona Lisa',
      id: 101,
      slug: 'mona',
      type: 'NORMAL',
    },
    repository: {
      slug,
      id: 84,
      name: slug,
      scmId: 'git',
      state: 'AVAILABLE',
      forkable: true,
      project: { key, id: 7, name: key, public: false, type: key.startsWith('~') ? 'PERSONAL' : 'NORMAL' },
      public: false,
      links: {
        clone: [
          { href: `ssh://git@bitbucket.example.com:7999/${key.toLowerCase()}/${slug}.git`, name: 'ssh' },
          { href: `${base}/scm/${key.toLowerCase()}/${slug}.git`, name: 'http' },
        ],
        self: [{ href: `${base}/projects/${key}/repos/${slug}/browse` }],
      },
    },
    changes,
  }
}

export interface ProvenDelivery {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface DeliveryOverrides {
  readonly event?: string
  readonly deliveryId?: string
}

/** Any payload as Bitbucket sends it with a secret: the signature over the very bytes of the body. */
export function signDelivery(
  payload: unknown,
  { secret, ...overrides }: DeliveryOverrides & { readonly secret: string },
): ProvenDelivery {
  const { headers, body } = deliver(payload, overrides)
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  return { headers: { ...headers, 'x-hub-signature': `sha256=${digest}` }, body }
}

/** Any payload as Bitbucket sends it with a user and a password; `credentials` is `user:password`. */
export function authenticateDelivery(
  payload: unknown,
  { credentials, ...overrides }: DeliveryOverrides & { readonly credentials: string },
): ProvenDelivery {
  const { headers, body } = deliver(payload, overrides)
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return { headers: { ...headers, authorization }, body }
}

function deliver(payload: unknown, { event = 'repo:refs_changed', deliveryId }: DeliveryOverrides): ProvenDelivery {
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Atlassian HttpClient 4.2.0 / Bitbucket-9.4.1',
      'x-event-key': event,
      'x-request-id': deliveryId ?? '7c4e2d1b-0f9a-4c3d-8b2e-1a0f9e8d7c6b',
    },
    body: Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload)),
  }
}

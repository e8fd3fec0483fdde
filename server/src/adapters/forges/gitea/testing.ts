import { createHmac } from 'node:crypto'

/** Builders of deliveries of Gitea and its relatives for tests, with their signatures. */

export interface PushOverrides {
  readonly repository?: {
    readonly id?: number
    readonly full_name?: string
    readonly clone_url?: string
    readonly default_branch?: string
    readonly private?: boolean
  }
  readonly ref?: string
  readonly before?: string
  readonly after?: string
  /** Newest first, as they come. */
  readonly commits?: readonly Record<string, unknown>[]
  readonly total_commits?: number
  readonly head_commit?: Record<string, unknown> | null
}

const HOST = 'https://gitea.example.com'
const ZERO = '0'.repeat(40)

/** A commit as a push lists it. */
export function aCommit(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const person = { name: 'Mona Lisa', email: 'mona@example.com', username: 'mona' }
  return {
    id: 'b'.repeat(40),
    message: 'Turn the signal to green\n',
    url: `${HOST}/acme/widgets/commit/${'b'.repeat(40)}`,
    author: person,
    committer: person,
    verification: null,
    timestamp: '2026-11-21T10:00:00+02:00',
    added: [],
    removed: [],
    modified: ['src/index.ts'],
    ...overrides,
  }
}

/** The body of a `push`: one commit on main of acme/widgets, unless overridden. */
export function aPushPayload(overrides: PushOverrides = {}): Record<string, unknown> {
  const fullName = overrides.repository?.full_name ?? 'acme/widgets'
  const [owner = '', name = ''] = fullName.split('/')
  const before = overrides.before ?? 'a'.repeat(40)
  const after = overrides.after ?? 'b'.repeat(40)
  const commits = overrides.commits ?? (after === ZERO ? [] : [aCommit({ id: after })])
  const sender = {
    id: 5,
    login: 'mona',
    full_name: 'Mona Lisa',
    email: 'mona@noreply.gitea.example.com',
    avatar_url: `${HOST}/avatars/5`,
    username: 'mona',
  }
  return {
    ref: overrides.ref ?? 'refs/heads/main',
    before,
    after,
    compare_url: `${HOST}/${fullName}/compare/${before}...${after}`,
    commits,
    total_commits: overrides.total_commits ?? commits.length,
    head_commit: overrides.head_commit === undefined ? (commits[0] ?? null) : overrides.head_commit,
    repository: {
      id: 140,
      owner: { ...sender, id: 21, login: owner, username: owner, full_name: '' },
      name,
      full_name: fullName,
      description: '',
      private: true,
      fork: false,
      html_url: `${HOST}/${fullName}`,
      ssh_url: `git@gitea.example.com:${fullName}.git`,
      clone_url: `${HOST}/${fullName}.git`,
      default_branch: 'main',
      created_at: '2024-02-26T04:29:06+02:00',
      updated_at: '2026-11-21T09:59:58+02:00',
      ...overrides.repository,
    },
    pusher: sender,
    sender,
  }
}

export interface SignedDelivery {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface DeliveryOverrides {
  readonly event?: string
  /** The exact type where it differs from the event: `pull_request_sync` for `pull_request`. */
  readonly eventType?: string
  readonly deliveryId?: string
  readonly headers?: Record<string, string>
}

/** The product whose headers are sent beside those of GitHub. */
export type Brand = 'forgejo' | 'gitea' | 'gogs'

/**
 * Any payload with the headers of these brands and GitHub's, the signatures over the very bytes of the body. Without a
 * secret the signatures are there and empty, as all of them send them.
 */
export function signWith(
  brands: readonly Brand[],
  payload: unknown,
  {
    secret,
    event = 'push',
    eventType = event,
    deliveryId = 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
    headers,
  }: DeliveryOverrides & { readonly secret: string },
): SignedDelivery {
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload, null, 2))
  const digest = (algorithm: string) => (secret === '' ? '' : createHmac(algorithm, secret).update(body).digest('hex'))
  const branded = brands.flatMap((brand) => [
    [`x-${brand}-delivery`, deliveryId],
    [`x-${brand}-event`, event],
    [`x-${brand}-event-type`, eventType],
    [`x-${brand}-signature`, digest('sha256')],
  ])
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Go-http-client/1.1',
      ...Object.fromEntries(branded),
      'x-hub-signature': `sha1=${digest('sha1')}`,
      'x-hub-signature-256': `sha256=${digest('sha256')}`,
      'x-github-delivery': deliveryId,
      'x-github-event': event,
      'x-github-event-type': eventType,
      ...headers,
    },
    body,
  }
}

/** Any payload as Gitea sends it. */
export function signDelivery(payload: unknown, delivery: DeliveryOverrides & { readonly secret: string }) {
  return signWith(['gitea', 'gogs'], payload, delivery)
}

import { createHash, createHmac } from 'node:crypto'

/** Builders of GitHub deliveries for tests: what GitHub would send, and how it would sign it. */

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
  readonly created?: boolean
  readonly deleted?: boolean
  readonly forced?: boolean
  readonly commits?: readonly Record<string, unknown>[]
  readonly head_commit?: Record<string, unknown> | null
  readonly sender?: { readonly login?: string; readonly id?: number; readonly type?: string }
  /** Pads the payload with further fields, which GitHub also sends, to about this many bytes. */
  readonly bytes?: number
}

const ZERO = '0'.repeat(40)

/** A commit as a push lists it. */
export function aCommit(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const person = { name: 'Mona Lisa', email: 'mona@example.com', username: 'mona' }
  return {
    id: 'b'.repeat(40),
    tree_id: 'c'.repeat(40),
    distinct: true,
    message: 'Turn the signal to green',
    timestamp: '2026-11-21T10:00:00+02:00',
    url: `https://github.com/acme/widgets/commit/${'b'.repeat(40)}`,
    author: person,
    committer: person,
    added: [],
    removed: [],
    modified: ['src/index.ts'],
    ...overrides,
  }
}

/** Each repository has its own. */
function repositoryId(fullName: string): number {
  if (fullName === 'acme/widgets') return 186_853_002
  return createHash('sha256').update(fullName).digest().readUInt32BE()
}

/** The body of a `push`: one commit on main of acme/widgets, unless overridden. */
export function aPushPayload(overrides: PushOverrides = {}): Record<string, unknown> {
  const fullName = overrides.repository?.full_name ?? 'acme/widgets'
  const [owner = '', name = ''] = fullName.split('/')
  const before = overrides.before ?? 'a'.repeat(40)
  const after = overrides.after ?? 'b'.repeat(40)
  const deleted = overrides.deleted ?? after === ZERO
  const commits = overrides.commits ?? (deleted ? [] : [aCommit({ id: after })])
  const sender = { login: 'mona', id: 583_231, type: 'User', ...overrides.sender }
  const payload = {
    ref: overrides.ref ?? 'refs/heads/main',
    before,
    after,
    repository: {
      id: repositoryId(fullName),
      node_id: 'MDEwOlJlcG9zaXRvcnkxODY4NTMwMDI=',
      name,
      full_name: fullName,
      private: true,
      owner: { name: owner, email: null, login: owner, id: 21_031_067, type: 'Organization', site_admin: false },
      html_url: `https://github.com/${fullName}`,
      description: null,
      fork: false,
      url: `https://github.com/${fullName}`,
      created_at: 1_557_933_565,
      updated_at: '2026-11-20T08:00:00Z',
      pushed_at: 1_795_255_200,
      clone_url: `https://github.com/${fullName}.git`,
      ssh_url: `git@github.com:${fullName}.git`,
      default_branch: 'main',
      master_branch: 'main',
      ...overrides.repository,
    },
    pusher: { name: sender.login, email: 'mona@example.com' },
    sender: { node_id: 'MDQ6VXNlcjU4MzIzMQ==', html_url: `https://github.com/${sender.login}`, ...sender },
    created: overrides.created ?? before === ZERO,
    deleted,
    forced: overrides.forced ?? false,
    base_ref: null,
    compare: `https://github.com/${fullName}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: overrides.head_commit === undefined ? (commits.at(-1) ?? null) : overrides.head_commit,
  }
  return overrides.bytes === undefined ? payload : padded(payload, overrides.bytes)
}

const URL_FIELDS = ['forks', 'keys', 'hooks', 'events', 'tags', 'blobs', 'trees', 'statuses', 'languages', 'stargazers']

function padded(payload: Record<string, unknown> & { repository: object }, bytes: number): Record<string, unknown> {
  const repository: Record<string, unknown> = { ...payload.repository }
  const whole = { ...payload, repository }
  let size = Buffer.byteLength(JSON.stringify(whole))
  for (let index = 0; size < bytes; index += 1) {
    const key = `${URL_FIELDS[index % URL_FIELDS.length]}_${index}_url`
    const url = `https://api.github.com/repos/acme/widgets/${key}{/sha}`
    repository[key] = url
    size += key.length + url.length + 6
  }
  return whole
}

export interface SignedDelivery {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface DeliveryOverrides {
  readonly event?: string
  readonly deliveryId?: string
  readonly headers?: Record<string, string>
}

/** Any payload as GitHub sends it: headers in lower case, the signature over the very bytes of the body. */
export function signDelivery(
  payload: unknown,
  {
    secret,
    event = 'push',
    deliveryId = '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    headers,
  }: DeliveryOverrides & { readonly secret: string },
): SignedDelivery {
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
  return {
    headers: {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-delivery': deliveryId,
      'x-github-event': event,
      'x-github-hook-id': '292430182',
      'x-github-hook-installation-target-id': '186853002',
      'x-github-hook-installation-target-type': 'repository',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ...headers,
    },
    body,
  }
}

/** A signed push: `signPush({ secret, ref: 'refs/heads/next', deliveryId: '...' })`. */
export function signPush({
  secret,
  event,
  deliveryId,
  headers,
  ...push
}: PushOverrides & DeliveryOverrides & { readonly secret: string }): SignedDelivery {
  return signDelivery(aPushPayload(push), {
    secret,
    ...(event === undefined ? {} : { event }),
    ...(deliveryId === undefined ? {} : { deliveryId }),
    ...(headers === undefined ? {} : { headers }),
  })
}

export interface PullRequestOverrides {
  readonly repository?: PushOverrides['repository']
  readonly action?: string
  readonly number?: number
  /** Commits. */
  readonly head?: string
  readonly base?: string
  readonly fork?: boolean
  readonly draft?: boolean
  readonly labels?: readonly string[]
  readonly updatedAt?: string
  /** The head before a `synchronize`. */
  readonly before?: string
}

/** The body of a `pull_request`: number 7 from topic to main of acme/widgets, opened, unless overridden. */
export function aPullRequestPayload(overrides: PullRequestOverrides = {}): Record<string, unknown> {
  const { repository } = aPushPayload(overrides.repository ? { repository: overrides.repository } : {})
  const head = overrides.head ?? 'b'.repeat(40)
  const base = overrides.base ?? 'a'.repeat(40)
  const number = overrides.number ?? 7
  const user = { login: 'mona', id: 583_231, type: 'User' }
  const fork = { id: 4_711, name: 'widgets', full_name: 'eve/widgets', private: false }
  return {
    action: overrides.action ?? 'opened',
    number,
    ...(overrides.before === undefined ? {} : { before: overrides.before, after: head }),
    pull_request: {
      number,
      title: 'Turn the signal to green',
      draft: overrides.draft ?? false,
      merged: false,
      labels: (overrides.labels ?? []).map((name) => ({ name })),
      user,
      html_url: `https://github.com/acme/widgets/pull/${number}`,
      updated_at: overrides.updatedAt ?? '2026-11-21T10:00:00Z',
      head: { ref: 'topic', sha: head, repo: overrides.fork === true ? fork : repository },
      base: { ref: 'main', sha: base, repo: repository },
    },
    repository,
    sender: user,
  }
}

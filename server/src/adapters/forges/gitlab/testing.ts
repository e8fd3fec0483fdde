import { createHmac } from 'node:crypto'

/** Builders of GitLab deliveries for tests: what GitLab would send, and how it would sign it. */

export interface PushOverrides {
  readonly project?: {
    readonly id?: number
    readonly path_with_namespace?: string
    readonly git_http_url?: string
    readonly default_branch?: string | null
    readonly visibility_level?: number
  }
  readonly ref?: string
  readonly before?: string
  readonly after?: string
  readonly checkout_sha?: string | null
  readonly commits?: readonly unknown[]
  readonly total_commits_count?: number
  readonly user_username?: string
}

const ZERO = '0'.repeat(40)

/** A commit as a push lists it. */
export function aCommit(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'b'.repeat(40),
    message: 'Turn the signal to green\n',
    title: 'Turn the signal to green',
    timestamp: '2026-11-21T10:00:00+02:00',
    url: `https://gitlab.example/acme/widgets/-/commit/${'b'.repeat(40)}`,
    author: { name: 'Mona Lisa', email: 'mona@example.com' },
    added: [],
    modified: ['src/index.ts'],
    removed: [],
    ...overrides,
  }
}

/** A project as every payload describes it. */
export function aProject(overrides: PushOverrides['project'] = {}): Record<string, unknown> {
  const fullName = overrides.path_with_namespace ?? 'acme/widgets'
  const http = `https://gitlab.example/${fullName}`
  const ssh = `git@gitlab.example:${fullName}.git`
  return {
    id: 15,
    name: 'Widgets',
    description: '',
    web_url: http,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: `${http}.git`,
    namespace: 'Acme',
    visibility_level: 0,
    path_with_namespace: fullName,
    default_branch: 'main',
    ci_config_path: null,
    homepage: http,
    url: ssh,
    ssh_url: ssh,
    http_url: `${http}.git`,
    ...overrides,
  }
}

/** The body of a `push` or, by its ref, of a `tag_push`: one commit on main of acme/widgets, unless overridden. */
export function aPushPayload(overrides: PushOverrides = {}): Record<string, unknown> {
  const { project, ...push } = overrides
  const ref = push.ref ?? 'refs/heads/main'
  const kind = ref.startsWith('refs/tags/') ? 'tag_push' : 'push'
  const after = push.after ?? 'b'.repeat(40)
  const deleted = after === ZERO
  const commits = push.commits ?? (deleted || kind === 'tag_push' ? [] : [aCommit({ id: after })])
  const described = aProject(project)
  return {
    object_kind: kind,
    event_name: kind,
    before: 'a'.repeat(40),
    after,
    ref,
    ref_protected: true,
    checkout_sha: deleted ? null : after,
    message: null,
    user_id: 4,
    user_name: 'Mona Lisa',
    user_username: 'mona',
    user_email: 'mona@example.com',
    user_avatar: null,
    project_id: described['id'],
    project: described,
    commits,
    total_commits_count: commits.length,
    push_options: {},
    repository: {
      name: 'Widgets',
      url: described['git_ssh_url'],
      description: '',
      homepage: described['web_url'],
      git_http_url: described['git_http_url'],
      git_ssh_url: described['git_ssh_url'],
      visibility_level: described['visibility_level'],
    },
    ...push,
  }
}

export interface SentDelivery {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface DeliveryOverrides {
  readonly event?: string
  readonly deliveryId?: string
  readonly headers?: Record<string, string>
}

/** Any payload as GitLab 19 sends it without any secret. */
export function sendDelivery(
  payload: unknown,
  { event = 'Push Hook', deliveryId = 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f', headers }: DeliveryOverrides = {},
): SentDelivery {
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitLab/19.2.0',
      'idempotency-key': deliveryId,
      'webhook-id': deliveryId,
      'x-gitlab-event': event,
      'x-gitlab-webhook-uuid': '3c5c0404-c866-44bc-a5f6-452bb1bfc76e',
      'x-gitlab-instance': 'https://gitlab.example',
      'x-gitlab-event-uuid': '9cebe914-4827-408f-b014-cfa23a47a35f',
      ...headers,
    },
    body,
  }
}

/** With a signing token, `whsec_<base64>`, at this time. */
export function signDelivery(
  payload: unknown,
  { secret, at, ...overrides }: DeliveryOverrides & { readonly secret: string; readonly at: Date },
): SentDelivery {
  const { headers, body } = sendDelivery(payload, overrides)
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const digest = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${timestamp}.`)
    .update(body)
    .digest('base64')
  return { headers: { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` }, body }
}

/** With a secret token, which proves nothing about the body. */
export function tokenDelivery(
  payload: unknown,
  { secret, ...overrides }: DeliveryOverrides & { readonly secret: string },
): SentDelivery {
  return sendDelivery(payload, { ...overrides, headers: { 'x-gitlab-token': secret, ...overrides.headers } })
}

/** A signed push: `signPush({ secret, at, ref: 'refs/heads/next', deliveryId: '...' })`. */
export function signPush({
  secret,
  at,
  deliveryId,
  ...push
}: PushOverrides & { readonly secret: string; readonly at: Date; readonly deliveryId?: string }): SentDelivery {
  const payload = aPushPayload(push)
  const event = payload['object_kind'] === 'tag_push' ? 'Tag Push Hook' : 'Push Hook'
  return signDelivery(payload, { secret, at, event, ...(deliveryId === undefined ? {} : { deliveryId }) })
}

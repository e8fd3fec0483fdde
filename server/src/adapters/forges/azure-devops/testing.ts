/** Builders of Azure DevOps's deliveries for tests, with their credentials. */

const BASE = 'https://dev.azure.com/acme'
const REPOSITORY = '4bc14d40-c903-45e2-872e-0462c7748079'
const PROJECT = '6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c'

export interface RefUpdateOverrides {
  readonly ref?: string
  /** Forty zeros: the ref is new. */
  readonly before?: string
  /** Forty zeros: the ref is gone. */
  readonly after?: string
}

/** One of the updates of a push: a commit on main, unless overridden. */
export function aRefUpdate(overrides: RefUpdateOverrides = {}): Record<string, unknown> {
  const { ref = 'refs/heads/main', before = 'a'.repeat(40), after = 'b'.repeat(40) } = overrides
  return { name: ref, oldObjectId: before, newObjectId: after }
}

export function aCommit(sha: string, comment = 'Turn the signal to green'): Record<string, unknown> {
  const person = { name: 'Mona Lisa', email: 'mona@example.com', date: '2026-11-21T09:59:00Z' }
  const url = `${BASE}/_apis/git/repositories/${REPOSITORY}/commits/${sha}`
  return { commitId: sha, author: person, committer: person, comment, url }
}

export interface RepositoryOverrides {
  readonly project?: string
  readonly name?: string
}

/** A repository of the organisation acme: widgets of "My Project", unless overridden. */
export function aRepository({
  project = 'My Project',
  name = 'widgets',
}: RepositoryOverrides = {}): Record<string, unknown> {
  const page = `${BASE}/${encodeURIComponent(project)}/_git/${encodeURIComponent(name)}`
  return {
    id: REPOSITORY,
    name,
    url: `${BASE}/_apis/git/repositories/${REPOSITORY}`,
    project: { id: PROJECT, name: project, state: 'wellFormed', visibility: 'private' },
    defaultBranch: 'refs/heads/main',
    remoteUrl: page.replace('https://', 'https://acme@'),
    webUrl: page,
  }
}

export interface PushOverrides {
  readonly repository?: Record<string, unknown>
  readonly refUpdates?: readonly unknown[]
  readonly commits?: readonly unknown[]
}

/** The body of a `git.push`: one commit on main of acme/My Project/widgets, unless overridden. */
export function aPushPayload(overrides: PushOverrides = {}): Record<string, unknown> {
  const { repository = aRepository(), refUpdates = [aRefUpdate()], commits = [aCommit('b'.repeat(40))] } = overrides
  const pushedBy = {
    id: '54d125f7-69f7-4191-904f-c5b96b6261c8',
    displayName: 'Mona Lisa',
    uniqueName: 'mona@example.com',
  }
  return anEnvelope('git.push', {
    commits,
    refUpdates,
    repository,
    pushedBy,
    pushId: 14,
    date: '2026-11-21T10:00:00.3309587Z',
    url: `${BASE}/_apis/git/repositories/${REPOSITORY}/pushes/14`,
  })
}

/** A body with what all events have in common. */
export function anEnvelope(eventType: string, resource: unknown): Record<string, unknown> {
  return {
    subscriptionId: '435e539d-3ce2-4283-8da9-8f3c0fe2e45e',
    notificationId: 14,
    id: '03c164c2-8912-4d5e-8009-3707d5f83734',
    eventType,
    publisherId: 'tfs',
    resource,
    resourceVersion: '1.0',
    resourceContainers: { account: { id: 'f844ec47-a9db-4511-8281-8b63f4eaf94e', baseUrl: `${BASE}/` } },
    createdDate: '2026-11-21T10:00:01.4805940Z',
  }
}

export interface AuthenticatedDelivery {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** Any payload as Azure DevOps sends it; `credentials` is `user:password`. */
export function authenticateDelivery(
  payload: unknown,
  { credentials }: { readonly credentials: string },
): AuthenticatedDelivery {
  return {
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'VSServices/19.245.35316.1 (w3wp.exe)',
    },
    body: Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload)),
  }
}

import { createHmac, randomUUID } from 'node:crypto'

export interface PushedCommit {
  readonly id: string
  readonly message: string
  /** RFC 3339. */
  readonly timestamp: string
  readonly author: { readonly name: string; readonly email: string }
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

export interface Push {
  readonly repository: {
    readonly id: number
    /** "owner/name" */
    readonly fullName: string
    /** An address that Git can clone from. */
    readonly cloneUrl: string
    readonly defaultBranch: string
  }
  /** Full: refs/heads/main. */
  readonly ref: string
  /** 40 zeros where the push creates the ref. */
  readonly before: string
  readonly after: string
  /** Oldest first. */
  readonly commits: readonly PushedCommit[]
  /** The secret of the webhook. */
  readonly secret: string
  /** GitHub's id of the delivery; a new one by default. */
  readonly deliveryId?: string
}

export interface GithubDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

/**
 * A push as GitHub delivers it: the payload's fields, the X-GitHub-* headers, and the signature. The signature covers
 * the body's bytes, which must be posted as they are.
 */
export function githubPush(push: Push): GithubDelivery {
  const body = Buffer.from(JSON.stringify(payload(push)))
  return {
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'GitHub-Hookshot/demo',
      'X-GitHub-Delivery': push.deliveryId ?? randomUUID(),
      'X-GitHub-Event': 'push',
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', push.secret).update(body).digest('hex')}`,
    },
    body,
  }
}

function payload({ repository, ref, before, after, commits }: Push) {
  const [owner = '', name = ''] = repository.fullName.split('/')
  const webUrl = `https://github.com/${repository.fullName}`
  const pusher = commits.at(-1)?.author ?? { name: owner, email: `${owner}@example.com` }
  const listed = commits.map((commit) => ({
    ...commit,
    distinct: true,
    url: `${webUrl}/commit/${commit.id}`,
    committer: commit.author,
  }))
  return {
    ref,
    before,
    after,
    repository: {
      id: repository.id,
      name,
      full_name: repository.fullName,
      private: true,
      owner: { name: owner, login: owner, type: 'Organization' },
      html_url: webUrl,
      clone_url: repository.cloneUrl,
      default_branch: repository.defaultBranch,
      fork: false,
    },
    pusher,
    sender: { login: owner, type: 'User' },
    created: isZero(before),
    deleted: isZero(after),
    forced: false,
    base_ref: null,
    compare: `${webUrl}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: listed,
    head_commit: listed.at(-1) ?? null,
  }
}

function isZero(sha: string): boolean {
  return /^0+$/.test(sha)
}

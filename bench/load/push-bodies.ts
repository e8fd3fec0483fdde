import { createHash } from 'node:crypto'
import { type GithubDelivery, githubPush, type PushedCommit } from '../../cli/src/demo/github-push.ts'
import { REPOSITORY } from '../../e2e/house/team.ts'

const PAYLOAD_BYTES = 8192

/** Signed push deliveries of 8 KB: some commits with their paths, all different, as a provider would send them. */
export function pushBodies(secret: string, count: number, from = 0): GithubDelivery[] {
  return Array.from({ length: count }, (_, index) => pushOf(secret, from + index))
}

function pushOf(secret: string, index: number): GithubDelivery {
  const commits: PushedCommit[] = []
  for (;;) {
    const delivery = signed(secret, index, [...commits, commit(index, commits.length)])
    if (delivery.body.length > PAYLOAD_BYTES) return signed(secret, index, commits)
    commits.push(commit(index, commits.length))
  }
}

function signed(secret: string, index: number, commits: readonly PushedCommit[]): GithubDelivery {
  return githubPush({
    repository: {
      id: 4711,
      fullName: REPOSITORY,
      cloneUrl: `https://git.example.com/${REPOSITORY}.git`,
      defaultBranch: 'main',
    },
    ref: 'refs/heads/main',
    before: sha(`before ${index}`),
    after: commits.at(-1)?.id ?? sha(`after ${index}`),
    commits,
    secret,
  })
}

function commit(index: number, position: number): PushedCommit {
  const id = sha(`commit ${index} ${position}`)
  return {
    id,
    message: `Change ${id.slice(0, 6)} of the part ${id.slice(6, 10)}, because ${id.slice(10, 30)} needs it`,
    timestamp: new Date(1_790_000_000_000 + (index * 100 + position) * 60_000).toISOString(),
    author: { name: `Person ${position}`, email: `person-${position}@example.invalid` },
    added: [`src/${id.slice(0, 4)}/${id.slice(4, 12)}.ts`],
    modified: [`src/${id.slice(12, 16)}/index.ts`, 'package.json'],
    removed: [],
  }
}

function sha(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

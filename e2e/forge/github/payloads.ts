import { type Fields, fieldsOf } from '../fields.ts'
import { type FoundCommit, ZERO } from '../git/bare-repository.ts'
import { describeCheckRun, describeComment, describePull, pullsAt } from './describe.ts'
import { describeAccount, describeApp, describeRepository, exampleOf, nodeId, rename, without } from './shapes.ts'
import {
  type Account,
  type CheckRun,
  type Comment,
  fullNameOf,
  type PullRequest,
  type Repository,
  type World,
} from './world.ts'

const ISSUE = without(
  fieldsOf(exampleOf('issue_comment', 'created'), 'issue'),
  'user',
  'labels',
  'assignees',
  'milestone',
)

/** The fields that events of a repository share; `sender` did it. */
export function commonPayload(world: World, repository: Repository, sender: Account): Fields {
  const { owner } = repository
  return {
    repository: describeRepository(world, repository),
    ...(owner.type === 'Organization' ? { organization: describeOrganization(world, owner) } : {}),
    sender: describeAccount(world, sender),
  }
}

function describeOrganization(world: World, { id, login }: Account): Fields {
  const url = `${world.url}/api/v3/orgs/${login}`
  return {
    login,
    id,
    node_id: nodeId('Organization', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.url}/avatars/u/${id}`,
    description: '',
  }
}

export interface PushedRef {
  readonly ref: string
  readonly before: string
  readonly after: string
  readonly forced: boolean
  /** Oldest first, each with the files that it changed. */
  readonly commits: readonly (FoundCommit & Record<'added' | 'modified' | 'removed', readonly string[]>)[]
}

export function pushPayload(world: World, repository: Repository, pushed: PushedRef, sender: Account): Fields {
  const { ref, before, after, forced } = pushed
  const web = `${world.url}/${fullNameOf(repository)}`
  const commits = pushed.commits.map((commit) => ({
    id: commit.id,
    tree_id: commit.treeId,
    distinct: true,
    message: commit.message,
    timestamp: commit.timestamp,
    url: `${web}/commit/${commit.id}`,
    author: commit.author,
    committer: commit.author,
    added: commit.added,
    removed: commit.removed,
    modified: commit.modified,
  }))
  const { repository: described, ...common } = commonPayload(world, repository, sender)
  const seconds = Math.floor(Date.parse(repository.createdAt) / 1000)
  return {
    ref,
    before,
    after,
    // A push writes these times of the repository as numbers.
    repository: {
      ...Object(described),
      created_at: seconds,
      pushed_at: seconds,
      master_branch: repository.defaultBranch,
    },
    pusher: { name: sender.login, email: `${sender.login}@example.com` },
    ...common,
    created: before === ZERO,
    deleted: after === ZERO,
    forced,
    base_ref: null,
    compare: `${web}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
  }
}

export function pullPayload(world: World, repository: Repository, pull: PullRequest, action: string): Fields {
  return {
    action,
    number: pull.number,
    pull_request: {
      ...describePull(world, repository, pull),
      comments: 0,
      mergeable: null,
      mergeable_state: 'unknown',
      merged_by: null,
      maintainer_can_modify: false,
    },
  }
}

export function commentPayload(world: World, repository: Repository, comment: Comment, action: string): Fields {
  const pull = repository.pulls.get(comment.number)
  const url = `${world.url}/api/v3/repos/${fullNameOf(repository)}/pulls/${comment.number}`
  const html = `${world.url}/${fullNameOf(repository)}/pull/${comment.number}`
  const author = pull?.author ?? repository.owner
  const issueUrl = `${world.url}/api/v3/repos/${fullNameOf(repository)}/issues/${comment.number}`
  return {
    action,
    issue: {
      ...rename(ISSUE, world, repository.owner.login, fullNameOf(repository)),
      url: issueUrl,
      labels_url: `${issueUrl}/labels{/name}`,
      comments_url: `${issueUrl}/comments`,
      events_url: `${issueUrl}/events`,
      html_url: html,
      id: pull?.id ?? 0,
      node_id: nodeId('Issue', pull?.id ?? 0),
      number: comment.number,
      title: pull?.title ?? '',
      body: pull?.body ?? null,
      user: describeAccount(world, author),
      labels: [],
      assignee: null,
      assignees: [],
      milestone: null,
      state: pull?.state ?? 'open',
      active_lock_reason: null,
      comments: [...repository.comments.values()].filter(({ number }) => number === comment.number).length,
      created_at: pull?.createdAt,
      updated_at: pull?.updatedAt,
      pull_request: { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch`, merged_at: null },
      reactions: {
        ...Object(describeComment(world, repository, { ...comment, reactions: [] })['reactions']),
        url: `${issueUrl}/reactions`,
      },
    },
    ...(action === 'edited' ? { changes: {} } : {}),
    comment: describeComment(world, repository, comment),
  }
}

export function checkPayload(world: World, repository: Repository, check: CheckRun, action: string): Fields {
  const described = describeCheckRun(world, repository, check)
  const api = `${world.url}/api/v3/repos/${fullNameOf(repository)}`
  const branch = [...repository.refs].find(([ref, sha]) => ref.startsWith('refs/heads/') && sha === check.headSha)
  const pull = pullsAt(repository, check.headSha)[0]
  return {
    action,
    check_run: {
      ...described,
      check_suite: {
        id: check.suiteId,
        node_id: nodeId('CheckSuite', check.suiteId),
        head_branch: branch?.[0].slice('refs/heads/'.length) ?? pull?.headRef ?? null,
        head_sha: check.headSha,
        status: check.status,
        conclusion: check.conclusion,
        url: `${api}/check-suites/${check.suiteId}`,
        before: ZERO,
        after: check.headSha,
        pull_requests: described['pull_requests'],
        app: describeApp(world, check.app),
        created_at: check.startedAt,
        updated_at: check.completedAt ?? check.startedAt,
      },
    },
  }
}

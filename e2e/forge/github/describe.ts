import { type Fields, fieldsOf } from '../fields.ts'
import type { ChangedFile, FoundCommit } from '../git/bare-repository.ts'
import { describeAccount, describeApp, describeRepository, exampleOf, nodeId, rename, without } from './shapes.ts'
import {
  type CheckRun,
  type Comment,
  fullNameOf,
  type PullRequest,
  type Reaction,
  type Repository,
  type RepositoryHook,
  type Role,
  type Status,
  type World,
} from './world.ts'

const PULL = without(fieldsOf(exampleOf('pull_request', 'opened'), 'pull_request'), 'user', 'head', 'base', '_links')
const COMMENT = without(fieldsOf(exampleOf('issue_comment', 'created'), 'comment'), 'user')

/** `base` of the address of a thing of a repository, as people and as the API reach it. */
function placesOf(world: World, repository: Repository) {
  const fullName = fullNameOf(repository)
  return { web: `${world.url}/${fullName}`, api: `${world.url}/api/v3/repos/${fullName}` }
}

export function describeBranch(world: World, repository: Repository, ref: string, sha: string): Fields {
  const { api } = placesOf(world, repository)
  return { name: ref.slice('refs/heads/'.length), commit: { sha, url: `${api}/commits/${sha}` }, protected: false }
}

export function describePull(world: World, repository: Repository, pull: PullRequest): Fields {
  const { web, api } = placesOf(world, repository)
  const { number } = pull
  const head = describeEnd(world, pull.headRepository, pull.headRef, pull.headSha)
  const base = describeEnd(world, repository, pull.baseRef, pull.baseSha)
  const links = {
    self: `${api}/pulls/${number}`,
    html: `${web}/pull/${number}`,
    issue: `${api}/issues/${number}`,
    comments: `${api}/issues/${number}/comments`,
    review_comments: `${api}/pulls/${number}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${api}/pulls/${number}/commits`,
    statuses: `${api}/statuses/${pull.headSha}`,
  }
  return {
    ...rename(PULL, world, repository.owner.login, fullNameOf(repository)),
    url: links.self,
    html_url: links.html,
    diff_url: `${links.html}.diff`,
    patch_url: `${links.html}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    number,
    state: pull.state,
    title: pull.title,
    body: pull.body,
    user: describeAccount(world, pull.author),
    author_association: 'CONTRIBUTOR',
    active_lock_reason: null,
    auto_merge: null,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.state === 'closed' ? pull.updatedAt : null,
    merged_at: pull.merged ? pull.updatedAt : null,
    merged: pull.merged,
    head,
    base,
  }
}

function describeEnd(world: World, repository: Repository | null, ref: string, sha: string): Fields {
  const owner = repository?.owner
  return {
    label: `${owner?.login ?? 'unknown'}:${ref}`,
    ref,
    sha,
    user: owner ? describeAccount(world, owner) : null,
    repo: repository ? describeRepository(world, repository) : null,
  }
}

export function describeFile(world: World, repository: Repository, head: string, file: ChangedFile): Fields {
  const { web, api } = placesOf(world, repository)
  const path = encodeURI(file.filename)
  return {
    sha: file.sha,
    filename: file.filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${web}/blob/${head}/${path}`,
    raw_url: `${web}/raw/${head}/${path}`,
    contents_url: `${api}/contents/${path}?ref=${head}`,
  }
}

export function describeCommit(world: World, repository: Repository, commit: FoundCommit): Fields {
  const { web, api } = placesOf(world, repository)
  const { id, treeId, author, timestamp, message } = commit
  const person = { ...author, date: timestamp }
  const url = `${api}/commits/${id}`
  return {
    sha: id,
    node_id: Buffer.from(`Commit${id}`).toString('base64'),
    url,
    html_url: `${web}/commit/${id}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${api}/git/commits/${id}`,
      author: person,
      committer: person,
      message,
      tree: { sha: treeId, url: `${api}/git/trees/${treeId}` },
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({ sha, url: `${api}/commits/${sha}`, html_url: `${web}/commit/${sha}` })),
  }
}

export function describeStatus(world: World, repository: Repository, status: Status): Fields {
  const { api } = placesOf(world, repository)
  return {
    url: `${api}/statuses/${status.sha}`,
    avatar_url: `${world.url}/avatars/u/${status.creator.id}`,
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: describeAccount(world, status.creator),
  }
}

export function describeCheckRun(world: World, repository: Repository, check: CheckRun): Fields {
  const { web, api } = placesOf(world, repository)
  const url = `${api}/check-runs/${check.id}`
  return {
    id: check.id,
    node_id: nodeId('CheckRun', check.id),
    head_sha: check.headSha,
    name: check.name,
    external_id: check.externalId,
    url,
    html_url: `${web}/runs/${check.id}`,
    details_url: check.detailsUrl,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    output: {
      title: check.title,
      summary: check.summary,
      text: check.text,
      annotations_count: check.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: check.suiteId },
    app: describeApp(world, check.app),
    pull_requests: pullsAt(repository, check.headSha).map((pull) => describePullShortly(world, repository, pull)),
  }
}

export function pullsAt(repository: Repository, sha: string): readonly PullRequest[] {
  // GitHub names no pull request of a fork here.
  return [...repository.pulls.values()].filter(
    (pull) => pull.headSha === sha && pull.state === 'open' && pull.headRepository === repository,
  )
}

function describePullShortly(world: World, repository: Repository, pull: PullRequest): Fields {
  const { api } = placesOf(world, repository)
  const repo = { id: repository.id, url: api, name: repository.name }
  return {
    url: `${api}/pulls/${pull.number}`,
    id: pull.id,
    number: pull.number,
    head: { ref: pull.headRef, sha: pull.headSha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  }
}

export function describeAnnotation(world: World, repository: Repository, check: CheckRun, at: number): Fields {
  const annotation = check.annotations[at]
  const path = annotation?.path ?? ''
  return {
    ...annotation,
    start_column: null,
    end_column: null,
    raw_details: null,
    blob_href: `${world.url}/${fullNameOf(repository)}/blob/${check.headSha}/${encodeURI(path)}`,
  }
}

export function describeComment(world: World, repository: Repository, comment: Comment): Fields {
  const { web, api } = placesOf(world, repository)
  const { id, number } = comment
  const url = `${api}/issues/comments/${id}`
  return {
    ...rename(COMMENT, world, repository.owner.login, fullNameOf(repository)),
    url,
    html_url: `${web}/pull/${number}#issuecomment-${id}`,
    issue_url: `${api}/issues/${number}`,
    id,
    node_id: nodeId('IssueComment', id),
    user: describeAccount(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(repository, comment.author.id),
    body: comment.body,
    reactions: countReactions(url, comment.reactions),
    performed_via_github_app: comment.app ? describeApp(world, comment.app) : null,
  }
}

/** GitHub calls everybody with a role a collaborator or member, those who may only read too. */
function associationOf(repository: Repository, accountId: number): string {
  if (repository.owner.id === accountId) return 'OWNER'
  if (!repository.roles.has(accountId)) return 'NONE'
  return repository.owner.type === 'Organization' ? 'MEMBER' : 'COLLABORATOR'
}

export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const

function countReactions(url: string, reactions: readonly Reaction[]): Fields {
  const counts = REACTIONS.map((name) => [name, reactions.filter(({ content }) => content === name).length])
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) }
}

export function describeReaction(world: World, reaction: Reaction): Fields {
  const { id, author, content, createdAt } = reaction
  return { id, node_id: nodeId('Reaction', id), user: describeAccount(world, author), content, created_at: createdAt }
}

/** The old words of `permission`: triage counts as read, maintain as write. */
export function describePermission(role: Role | 'none'): { permission: string; role_name: string } {
  const old = { none: 'none', read: 'read', triage: 'read', write: 'write', maintain: 'write', admin: 'admin' } as const
  return { permission: old[role], role_name: role }
}

export function describeHook(world: World, hook: RepositoryHook): Fields {
  const { api } = placesOf(world, hook.repository)
  const url = `${api}/hooks/${hook.id}`
  const latest = world.mailbox.deliveries.findLast(({ letter }) => letter.hook === hook)
  return {
    type: 'Repository',
    id: hook.id,
    name: 'web',
    active: hook.active,
    events: hook.events,
    config: {
      content_type: 'json',
      insecure_ssl: '0',
      url: hook.url,
      ...(hook.secret === null ? {} : { secret: '********' }),
    },
    updated_at: hook.updatedAt,
    created_at: hook.createdAt,
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: latest
      ? { code: latest.statusCode, status: latest.statusCode < 400 ? 'active' : 'failed', message: latest.status }
      : { code: null, status: 'unused', message: null },
  }
}

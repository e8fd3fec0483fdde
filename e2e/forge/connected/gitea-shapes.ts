import { type Fields, fieldsOf } from '../fields.ts'
import {
  type Account,
  type Comment,
  fullNameOf,
  type PullRequest,
  type Repository,
  type World,
} from '../github/world.ts'
import type { Shapes } from './dialect.ts'
import { recordedPayload } from './recorded.ts'

const PULL = fieldsOf(recordedPayload('gitea', 'pull-request-opened'), 'pull_request')
const COMMENT = fieldsOf(recordedPayload('gitea', 'comment-created'), 'comment')
const REPOSITORY = fieldsOf(recordedPayload('gitea', 'push-branch'), 'repository')
const ACCOUNT = fieldsOf(PULL, 'user')

export function webOf(world: World, repository: Repository): string {
  return `${world.url}/${fullNameOf(repository)}`
}

export function describeAccount(world: World, { id, login }: Account): Fields {
  const page = `${world.url}/${login}`
  const mail = { email: `${login}@noreply.example.com`, avatar_url: `${world.url}/avatars/${id}`, html_url: page }
  return { ...ACCOUNT, id, login, username: login, full_name: '', ...mail }
}

export function describeRepository(world: World, repository: Repository): Fields {
  const web = webOf(world, repository)
  return {
    ...REPOSITORY,
    id: repository.id,
    owner: describeAccount(world, repository.owner),
    name: repository.name,
    full_name: fullNameOf(repository),
    private: repository.private,
    fork: repository.forkOf !== null,
    html_url: web,
    url: `${world.url}/api/v1/repos/${fullNameOf(repository)}`,
    clone_url: `${web}.git`,
    default_branch: repository.defaultBranch,
    permissions: { admin: true, push: true, pull: true },
  }
}

export function describePull(world: World, repository: Repository, pull: PullRequest): Fields {
  const page = `${webOf(world, repository)}/pulls/${pull.number}`
  const end = (ref: string, sha: string, of: Repository | null) => ({
    label: ref,
    ref,
    sha,
    repo_id: of?.id ?? 0,
    repo: of && describeRepository(world, of),
  })
  return {
    ...PULL,
    id: pull.id,
    number: pull.number,
    url: page,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    user: describeAccount(world, pull.author),
    title: pull.title,
    body: pull.body ?? '',
    labels: [],
    state: pull.state,
    draft: false,
    merged: pull.merged,
    merged_at: pull.merged ? pull.updatedAt : null,
    base: end(pull.baseRef, pull.baseSha, repository),
    head: end(pull.headRef, pull.headSha, pull.headRepository),
    merge_base: pull.baseSha,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.state === 'closed' ? pull.updatedAt : null,
  }
}

export function describeComment(world: World, repository: Repository, comment: Comment): Fields {
  const page = `${webOf(world, repository)}/pulls/${comment.number}`
  return {
    ...COMMENT,
    id: comment.id,
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: page,
    issue_url: '',
    user: describeAccount(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
  }
}

export const shapes: Shapes = {
  account: describeAccount,
  owner: (world, { id, login }) => ({
    id,
    name: login,
    username: login,
    full_name: '',
    avatar_url: `${world.url}/avatars/${id}`,
    description: '',
    website: '',
    location: '',
    visibility: 'public',
    repo_admin_change_team_access: true,
  }),
  repository: describeRepository,
  branch: (name, sha) => ({ name, commit: { id: sha, message: '', url: '' }, protected: false }),
  pull: describePull,
  file: ({ filename, status, additions, deletions }) => ({
    filename,
    status: status === 'modified' ? 'changed' : status === 'removed' ? 'deleted' : 'added',
    additions,
    deletions,
    changes: additions + deletions,
  }),
  status: (world, { id, state, context, description, targetUrl, creator, createdAt }) => ({
    id,
    status: state,
    target_url: targetUrl ?? '',
    description: description ?? '',
    url: '',
    context,
    creator: describeAccount(world, creator),
    created_at: createdAt,
    updated_at: createdAt,
  }),
  comment: describeComment,
  reaction: (world, { author, content, createdAt }) => ({
    user: describeAccount(world, author),
    content,
    created_at: createdAt,
  }),
  permission(world, repository, account) {
    const role = account === repository.owner ? 'owner' : repository.roles.get(account.id)
    const words: Readonly<Record<string, string>> = {
      owner: 'owner',
      admin: 'admin',
      maintain: 'write',
      write: 'write',
    }
    const permission = role === undefined ? (repository.private ? 'none' : 'read') : (words[role] ?? 'read')
    return { permission, role_name: permission, user: describeAccount(world, account) }
  },
  hook: (_world, { id, url, active, events, createdAt, updatedAt }) => ({
    id,
    type: 'gitea',
    branch_filter: '*',
    config: { content_type: 'json', url },
    // In a list the narrow kinds have their plain names.
    events: events.map((event) => (event === 'pull_request_only' ? 'pull_request' : event)),
    authorization_header: '',
    active,
    created_at: createdAt,
    updated_at: updatedAt,
  }),
  delivery: () => ({}),
}

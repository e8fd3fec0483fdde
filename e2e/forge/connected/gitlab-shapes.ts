import { type Fields, fieldsOf } from '../fields.ts'
import { type Account, fullNameOf, type PullRequest, type Repository, type Role, type World } from '../github/world.ts'
import type { Shapes } from './dialect.ts'
import { recordedPayload } from './recorded.ts'

const PROJECT = fieldsOf(recordedPayload('gitlab', 'push-branch'), 'project')
const MERGE_REQUEST = fieldsOf(recordedPayload('gitlab', 'merge-request-opened'), 'object_attributes')

const LEVELS: Readonly<Record<Role, number>> = { read: 20, triage: 20, write: 30, maintain: 40, admin: 50 }
export const FLAGS = ['push_events', 'tag_push_events', 'merge_requests_events', 'note_events', 'releases_events']

export function webOf(world: World, repository: Repository): string {
  return `${world.url}/${fullNameOf(repository)}`
}

export function describeAccount(world: World, { id, login }: Account): Fields {
  const page = `${world.url}/${login}`
  return {
    id,
    username: login,
    name: login,
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: page,
    bot: false,
  }
}

/** As payloads write who did it. */
export function describeUser({ id, login }: Account): Fields {
  return { id, name: login, username: login, avatar_url: null, email: '[REDACTED]' }
}

export function describeProject(world: World, repository: Repository): Fields {
  const web = webOf(world, repository)
  return {
    ...PROJECT,
    id: repository.id,
    name: repository.name,
    web_url: web,
    git_http_url: `${web}.git`,
    git_ssh_url: `git@gitlab.example:${fullNameOf(repository)}.git`,
    namespace: repository.owner.login,
    visibility_level: repository.private ? 0 : 20,
    path_with_namespace: fullNameOf(repository),
    default_branch: repository.defaultBranch,
    homepage: web,
    http_url: `${web}.git`,
  }
}

export function describeMergeRequest(world: World, repository: Repository, pull: PullRequest): Fields {
  return {
    ...MERGE_REQUEST,
    id: pull.id,
    iid: pull.number,
    author_id: pull.author.id,
    title: pull.title,
    description: pull.body ?? '',
    state: stateOf(pull),
    source_branch: pull.headRef,
    target_branch: pull.baseRef,
    source_project_id: pull.headRepository?.id ?? null,
    target_project_id: repository.id,
    source: pull.headRepository && describeProject(world, pull.headRepository),
    target: describeProject(world, repository),
    last_commit: { id: pull.headSha, message: pull.title, title: pull.title, timestamp: pull.updatedAt, url: '' },
    labels: [],
    draft: false,
    url: `${webOf(world, repository)}/-/merge_requests/${pull.number}`,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
  }
}

function stateOf({ merged, state }: PullRequest): string {
  if (merged) return 'merged'
  return state === 'open' ? 'opened' : 'closed'
}

export const shapes: Shapes = {
  account: describeAccount,
  owner: (world, { id, login }) => ({
    id,
    name: login,
    path: login,
    full_path: login,
    full_name: login,
    visibility: 'private',
    web_url: `${world.url}/groups/${login}`,
    parent_id: null,
  }),
  repository: (world, repository) => ({
    id: repository.id,
    name: repository.name,
    path: repository.name,
    path_with_namespace: fullNameOf(repository),
    default_branch: repository.defaultBranch,
    visibility: repository.private ? 'private' : 'public',
    web_url: webOf(world, repository),
    http_url_to_repo: `${webOf(world, repository)}.git`,
    ssh_url_to_repo: `git@gitlab.example:${fullNameOf(repository)}.git`,
    archived: false,
  }),
  branch: (name, sha) => ({ name, commit: { id: sha, short_id: sha.slice(0, 8) }, merged: false, protected: false }),
  pull: (world, repository, pull) => ({
    id: pull.id,
    iid: pull.number,
    project_id: repository.id,
    title: pull.title,
    description: pull.body ?? '',
    state: stateOf(pull),
    sha: pull.headSha,
    source_branch: pull.headRef,
    target_branch: pull.baseRef,
    source_project_id: pull.headRepository?.id ?? null,
    target_project_id: repository.id,
    author: describeAccount(world, pull.author),
    draft: false,
    labels: [],
    web_url: `${webOf(world, repository)}/-/merge_requests/${pull.number}`,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
  }),
  file: ({ filename, status }) => ({
    old_path: filename,
    new_path: filename,
    new_file: status === 'added',
    deleted_file: status === 'removed',
    renamed_file: false,
    diff: '',
  }),
  status: (world, { id, sha, state, context, description, targetUrl, creator, createdAt }) => ({
    id,
    sha,
    status: state,
    name: context,
    target_url: targetUrl,
    description,
    created_at: createdAt,
    author: describeAccount(world, creator),
  }),
  comment: (world, _repository, comment) => ({
    id: comment.id,
    body: comment.body,
    author: describeAccount(world, comment.author),
    system: false,
    noteable_type: 'MergeRequest',
    noteable_iid: comment.number,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
  }),
  reaction: (world, { id, author, content }) => ({ id, name: content, user: describeAccount(world, author) }),
  permission(world, repository, account) {
    const role = account === repository.owner ? 'admin' : repository.roles.get(account.id)
    return role && { ...describeAccount(world, account), access_level: LEVELS[role], expires_at: null }
  },
  hook: (_world, { id, url, active, events, repository, createdAt }) => ({
    id,
    url,
    project_id: repository.id,
    ...Object.fromEntries(FLAGS.map((flag) => [flag, events.includes(flag)])),
    enable_ssl_verification: true,
    alert_status: active ? 'executable' : 'disabled',
    disabled_until: null,
    created_at: createdAt,
  }),
  delivery: ({ id, letter, requestHeaders, responseHeaders, responseBody, statusCode, durationS }) => ({
    id,
    url: letter.hook.url,
    trigger: letter.event,
    request_headers: withoutSecrets(requestHeaders),
    request_data: letter.payload,
    response_headers: responseHeaders,
    response_body: responseBody,
    execution_duration: durationS,
    response_status: statusCode === 502 || statusCode === 504 ? 'internal error' : String(statusCode),
  }),
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name === 'x-gitlab-token' ? '[REDACTED]' : value]),
  )
}

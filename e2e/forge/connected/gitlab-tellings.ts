import { createHmac } from 'node:crypto'
import { type Fields, fieldsOf } from '../fields.ts'
import type { Comment, Repository, World } from '../github/world.ts'
import type { Letter } from '../webhooks/mailbox.ts'
import type { Tellings } from './dialect.ts'
import { describeMergeRequest, describeProject, describeUser, webOf } from './gitlab-shapes.ts'
import { recordedPayload } from './recorded.ts'

const PUSH_EVENT = recordedPayload('gitlab', 'push-branch')
const PULL_EVENT = recordedPayload('gitlab', 'merge-request-opened')
const NOTE_EVENT = recordedPayload('gitlab', 'note-on-merge-request')

function projectAndRepository(world: World, repository: Repository) {
  const project = describeProject(world, repository)
  const { name, url, description, homepage } = project
  return { project, repository: { name, url, description, homepage } }
}

export const tellings: Tellings = {
  push(world, repository, { ref, before, after, commits }, sender) {
    const tag = ref.startsWith('refs/tags/')
    const payload = {
      ...PUSH_EVENT,
      object_kind: tag ? 'tag_push' : 'push',
      event_name: tag ? 'tag_push' : 'push',
      ref,
      before,
      after,
      checkout_sha: /^0+$/.test(after) ? null : after,
      user_id: sender.id,
      user_name: sender.login,
      user_username: sender.login,
      project_id: repository.id,
      ...projectAndRepository(world, repository),
      commits: commits.map(({ id, message, timestamp, author, added, modified, removed }) => {
        const url = `${webOf(world, repository)}/-/commit/${id}`
        return { id, message, title: message.split('\n')[0], timestamp, url, author, added, modified, removed }
      }),
      total_commits_count: commits.length,
    }
    const flag = tag ? 'tag_push_events' : 'push_events'
    return { chosenBy: [flag], event: tag ? 'Tag Push Hook' : 'Push Hook', action: null, payload }
  },
  pull(world, repository, pull, { action, before }) {
    const words = { opened: 'open', synchronized: 'update', closed: pull.merged ? 'merge' : 'close' } as const
    const attributes = { ...describeMergeRequest(world, repository, pull), action: words[action] }
    const payload = {
      ...PULL_EVENT,
      user: describeUser(pull.author),
      ...projectAndRepository(world, repository),
      labels: [],
      changes: {},
      object_attributes: before === undefined ? attributes : { ...attributes, oldrev: before },
    }
    return { chosenBy: ['merge_requests_events'], event: 'Merge Request Hook', action: words[action], payload }
  },
  comment(world, repository, comment, action) {
    const pull = repository.pulls.get(comment.number)
    const payload = {
      ...NOTE_EVENT,
      user: describeUser(comment.author),
      project_id: repository.id,
      ...projectAndRepository(world, repository),
      object_attributes: describeNote(world, repository, comment, action === 'created' ? 'create' : 'update'),
      merge_request: pull && describeMergeRequest(world, repository, pull),
    }
    // GitLab tells nobody of a note that is gone.
    const chosenBy = action === 'deleted' ? [] : ['note_events']
    return { chosenBy, event: 'Note Hook', action, payload }
  },
  /** The trigger that the product asks for, of which no trigger of runs can be. */
  test(world, repository) {
    const { project } = projectAndRepository(world, repository)
    const token = { id: 25, name: 'acd', user_id: 90, created_at: world.clock.text(), expires_at: '2027-01-26' }
    const payload = {
      object_kind: 'access_token',
      event_name: 'expiring_access_token',
      project,
      object_attributes: token,
    }
    return { chosenBy: [], event: 'Resource Access Token Hook', action: null, payload }
  },
  headers(letter, sending) {
    return {
      'user-agent': 'GitLab/18.9.0',
      'x-gitlab-event': letter.event,
      'x-gitlab-webhook-uuid': sending.guid,
      'idempotency-key': sending.guid,
      'webhook-id': sending.guid,
      ...proofOf(letter, sending),
    }
  },
}

function describeNote(world: World, repository: Repository, comment: Comment, action: string): Fields {
  const page = `${webOf(world, repository)}/-/merge_requests/${comment.number}`
  return {
    ...fieldsOf(NOTE_EVENT, 'object_attributes'),
    id: comment.id,
    author_id: comment.author.id,
    note: comment.body,
    description: comment.body,
    noteable_id: repository.pulls.get(comment.number)?.id,
    project_id: repository.id,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    url: `${page}#note_${comment.id}`,
    action,
  }
}

/** A signing token signs as Standard Webhooks say; the older secret token is sent as it is. */
function proofOf({ hook }: Letter, { guid, body, at }: Parameters<Tellings['headers']>[1]): Record<string, string> {
  if (hook.secret === null || hook.secret === '') return {}
  if (hook.signs !== true) return { 'x-gitlab-token': hook.secret }
  const time = String(Math.floor(at / 1000))
  const encoded = /^whsec_(.+)$/.exec(hook.secret)?.[1]
  const key = encoded === undefined ? Buffer.from(hook.secret) : Buffer.from(encoded, 'base64')
  const signature = createHmac('sha256', key).update(`${guid}.${time}.`).update(body).digest('base64')
  return { 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
}

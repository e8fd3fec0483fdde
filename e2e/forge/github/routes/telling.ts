import { textOf } from '../../fields.ts'
import type { Answer, Call } from '../../http/call.ts'
import type { Route } from '../../http/route.ts'
import { enter, type Need } from '../caller.ts'
import { describeComment, describeReaction, describeStatus, REACTIONS } from '../describe.ts'
import type { Events } from '../events.ts'
import { pageOf } from '../paging.ts'
import { invalid, notFound, refuse } from '../refusals.ts'
import type { Comment, Repository, World } from '../world.ts'

const STATUSES_WRITE: Need = ['statuses', 'write']
/** Either is enough at a pull request. */
const COMMENTS_READ: readonly Need[] = [
  ['pull_requests', 'read'],
  ['issues', 'read'],
]
const COMMENTS_WRITE: readonly Need[] = [
  ['pull_requests', 'write'],
  ['issues', 'write'],
]

const REPOSITORY = '/repos/{owner}/{repo}'
const STATES = ['error', 'failure', 'pending', 'success']
const MOST_STATUSES = 1000
const LONGEST_DESCRIPTION = 140
const LONGEST_BODY = 65_536

/** Commit statuses, comments at pull requests, and reactions to them. */
export function tellingRoutes(world: World, events: Events): readonly Route[] {
  return [
    { method: 'POST', path: `${REPOSITORY}/statuses/{sha}`, handle: (call) => createStatus(world, call) },
    {
      method: 'GET',
      path: `${REPOSITORY}/commits/{ref}/statuses`,
      handle(call) {
        const { repository } = enter(world, call, ['statuses', 'read'])
        const found = repository.statuses.filter(({ sha }) => sha === call.params['ref']).toReversed()
        return pageOf(world.url, call, found, (status) => describeStatus(world, repository, status))
      },
    },
    {
      method: 'POST',
      path: `${REPOSITORY}/issues/{issue_number}/comments`,
      handle: (call) => create(world, events, call),
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/issues/{issue_number}/comments`,
      handle(call) {
        const { repository } = enter(world, call, ...COMMENTS_READ)
        const number = numberOf(repository, call)
        const found = [...repository.comments.values()].filter((comment) => comment.number === number)
        return pageOf(world.url, call, found, (comment) => describeComment(world, repository, comment))
      },
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/issues/comments/{comment_id}`,
      handle(call) {
        const { repository } = enter(world, call, ...COMMENTS_READ)
        return { status: 200, body: describeComment(world, repository, commentOf(repository, call)) }
      },
    },
    {
      method: 'PATCH',
      path: `${REPOSITORY}/issues/comments/{comment_id}`,
      handle(call) {
        const { token, repository } = enter(world, call, ...COMMENTS_WRITE)
        const comment = commentOf(repository, call)
        if (comment.author !== token.person && token.installation) {
          throw refuse(403, 'Resource not accessible by integration')
        }
        comment.body = bodyOf(call)
        comment.updatedAt = world.clock.text()
        events.comment(repository, comment, 'edited', token.person)
        return { status: 200, body: describeComment(world, repository, comment) }
      },
    },
    {
      method: 'DELETE',
      path: `${REPOSITORY}/issues/comments/{comment_id}`,
      handle(call) {
        const { token, repository } = enter(world, call, ...COMMENTS_WRITE)
        const comment = commentOf(repository, call)
        repository.comments.delete(comment.id)
        events.comment(repository, comment, 'deleted', token.person)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/issues/comments/{comment_id}/reactions`,
      handle(call) {
        const { repository } = enter(world, call, ...COMMENTS_READ)
        const { reactions } = commentOf(repository, call)
        return pageOf(world.url, call, reactions, (reaction) => describeReaction(world, reaction))
      },
    },
    {
      method: 'POST',
      path: `${REPOSITORY}/issues/comments/{comment_id}/reactions`,
      handle: (call) => react(world, call),
    },
  ]
}

function createStatus(world: World, call: Call): Answer {
  const { token, repository } = enter(world, call, STATUSES_WRITE)
  const { sha = '' } = call.params
  const state = textOf(call.body, 'state') ?? ''
  const context = textOf(call.body, 'context') ?? 'default'
  const description = textOf(call.body, 'description') ?? null
  const targetUrl = textOf(call.body, 'target_url') ?? null
  if (!repository.commits.has(sha)) throw refuse(422, `No commit found for SHA: ${sha}`)
  if (!STATES.includes(state)) throw invalid('Status', 'state', 'invalid')
  if (description !== null && [...description].length > LONGEST_DESCRIPTION) {
    throw invalid('Status', 'description', 'custom', 'description is too long (maximum is 140 characters)')
  }
  if (targetUrl !== null && targetUrl !== '' && !/^https?:\/\//.test(targetUrl)) {
    throw invalid('Status', 'target_url', 'custom', 'Target URL must use http(s) scheme')
  }
  const alike = repository.statuses.filter((status) => status.sha === sha && status.context === context)
  if (alike.length >= MOST_STATUSES) {
    throw refuse(422, 'Validation Failed', {
      errors: ['This SHA and context has reached the maximum number of statuses.'],
    })
  }
  const creator = token.person
  const status = {
    id: world.nextId(),
    sha,
    state,
    context,
    description,
    targetUrl,
    creator,
    createdAt: world.clock.text(),
  }
  repository.statuses.push(status)
  return { status: 201, body: describeStatus(world, repository, status) }
}

function create(world: World, events: Events, call: Call): Answer {
  const { token, repository } = enter(world, call, ...COMMENTS_WRITE)
  const number = numberOf(repository, call)
  const app = token.installation?.app ?? null
  const comment = events.addComment(repository, { number, author: token.person, app, body: bodyOf(call) })
  return { status: 201, body: describeComment(world, repository, comment) }
}

function react(world: World, call: Call): Answer {
  const { token, repository } = enter(world, call, ...COMMENTS_WRITE)
  const { reactions } = commentOf(repository, call)
  const content = textOf(call.body, 'content') ?? ''
  if (!REACTIONS.some((one) => one === content)) throw invalid('Reaction', 'content', 'invalid')
  const known = reactions.find((one) => one.content === content && one.author === token.person)
  if (known) return { status: 200, body: describeReaction(world, known) }
  const reaction = { id: world.nextId(), author: token.person, content, createdAt: world.clock.text() }
  reactions.push(reaction)
  return { status: 201, body: describeReaction(world, reaction) }
}

function numberOf(repository: Repository, { params }: Call): number {
  const number = Number(params['issue_number'])
  if (!repository.pulls.has(number)) throw notFound()
  return number
}

function commentOf(repository: Repository, { params }: Call): Comment {
  const comment = repository.comments.get(Number(params['comment_id']))
  if (!comment) throw notFound()
  return comment
}

function bodyOf({ body }: Call): string {
  const text = textOf(body, 'body')
  if (text === undefined) throw invalid('IssueComment', 'body', 'missing_field')
  if (text.trim() === '') throw invalid('IssueComment', 'data', 'unprocessable', 'Body cannot be blank')
  if (text.length > LONGEST_BODY) {
    throw invalid('IssueComment', 'data', 'unprocessable', 'Body is too long (maximum is 65536 characters)')
  }
  return text
}

import { textOf } from '../fields.ts'
import { withEtag } from '../github/paging.ts'
import type { Account, Comment, PullRequest, Repository, Status } from '../github/world.ts'
import { type Answer, type Call, Refusal } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import type { Dialect, Scope } from './dialect.ts'
import { hookOperations } from './hook-operations.ts'
import { type Operations, type Parts, pageOf, READ, WRITE } from './parts.ts'

const READ_ISSUE: Scope = { kind: 'issue', access: 'read' }
const WRITE_ISSUE: Scope = { kind: 'issue', access: 'write' }
const USER: Scope = { kind: 'user', access: 'read' }
const ORGANIZATION: Scope = { kind: 'organization', access: 'read' }

/** The routes of a provider, made of the dialect's paths and shapes. */
export function connectedRoutes(parts: Parts): readonly Route[] {
  const { dialect } = parts
  const handlers: Operations = {
    ...ownerOperations(parts),
    ...repositoryOperations(parts),
    ...commentOperations(parts),
    ...hookOperations(parts),
  }
  return Object.entries(handlers).flatMap(([name, handle]) => {
    const place = Object.entries(dialect.operations).find(([other]) => other === name)?.[1]
    if (!place) return []
    const path = `${dialect.api}${place.path}`
    return [{ method: place.method, path, handle: async (call: Call) => withEtag(call, await handle(call)) }]
  })
}

function ownerOperations(parts: Parts): Operations {
  const { world, dialect, access } = parts
  const { shapes } = dialect
  const visible = (person: Account) => (repository: Repository) =>
    !repository.private || access.roleOf(person, repository) !== undefined
  const ofOwner = (owner: Account) => [...world.repositories.values()].filter((one) => one.owner === owner)

  function findOwner(login: string | undefined, type: Account['type']): Account {
    const account = world.accounts.get((login ?? '').toLowerCase())
    if (account?.type !== type) throw new Refusal(dialect.notFound)
    return account
  }

  return {
    account: (call) => ({ status: 200, body: shapes.account(world, access.readPerson(call, USER).person) }),
    tokenScopes(call) {
      const { scopes, expiresAt, person } = access.readPerson(call, USER)
      const ends = expiresAt === null ? null : new Date(expiresAt).toISOString().slice(0, 10)
      return {
        status: 200,
        body: { id: person.id, name: 'signalbox', active: true, user_id: person.id, scopes, expires_at: ends },
      }
    },
    owners(call) {
      const { person } = access.readPerson(call, ORGANIZATION)
      const own = [...world.accounts.values()]
        .filter(({ type }) => type === 'Organization')
        .filter((owner) => ofOwner(owner).some((repository) => access.roleOf(person, repository) !== undefined))
      return pageOf(parts, call, own, (owner) => shapes.owner(world, owner))
    },
    owner(call) {
      access.readPerson(call, ORGANIZATION)
      return { status: 200, body: shapes.owner(world, findOwner(call.params['owner'], 'Organization')) }
    },
    person(call) {
      access.readPerson(call, USER)
      // GitLab searches by name, and answers a list.
      if (call.params['owner'] !== undefined) {
        return { status: 200, body: shapes.account(world, findOwner(call.params['owner'], 'User')) }
      }
      const found = world.accounts.get((call.query.get('username') ?? '').toLowerCase())
      return pageOf(parts, call, found?.type === 'User' ? [found] : [], (account) => shapes.account(world, account))
    },
    ownerRepositories(call) {
      const { person } = access.readPerson(call, ORGANIZATION)
      const own = ofOwner(findOwner(call.params['owner'], 'Organization')).filter(visible(person))
      return pageOf(parts, call, own, (repository) => shapes.repository(world, repository))
    },
    personRepositories(call) {
      const { person } = access.readPerson(call, USER)
      const own = ofOwner(findOwner(call.params['owner'], 'User')).filter(visible(person))
      return pageOf(parts, call, own, (repository) => shapes.repository(world, repository))
    },
  }
}

function repositoryOperations(parts: Parts): Operations {
  const { world, dialect, access } = parts
  const { shapes } = dialect
  return {
    repository: (call) => ({
      status: 200,
      body: shapes.repository(world, access.enter(call, READ, 'read').repository),
    }),
    branches(call) {
      const { refs } = access.enter(call, READ, 'read').repository
      const branches = [...refs].filter(([ref]) => ref.startsWith('refs/heads/'))
      return pageOf(parts, call, branches, ([ref, sha]) => shapes.branch(ref.slice('refs/heads/'.length), sha))
    },
    pulls(call) {
      const { repository } = access.enter(call, READ, 'read')
      // GitLab says opened where the others say open.
      const state = (call.query.get('state') ?? 'all').replace('opened', 'open')
      const pulls = [...repository.pulls.values()]
        .filter((pull) => state === 'all' || pull.state === state)
        .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
      return pageOf(parts, call, pulls, (pull) => shapes.pull(world, repository, pull))
    },
    pull(call) {
      const { repository } = access.enter(call, READ, 'read')
      return { status: 200, body: shapes.pull(world, repository, pullOf(dialect, repository, call)) }
    },
    async pullFiles(call) {
      const { repository } = access.enter(call, READ, 'read')
      const pull = pullOf(dialect, repository, call)
      const files = (await repository.git?.listChanges(pull.baseSha, pull.headSha)) ?? []
      return pageOf(parts, call, files, (file) => shapes.file(file))
    },
    createStatus: (call) => createStatus(parts, call),
    statuses(call) {
      const { repository } = access.enter(call, READ, 'read')
      const found = repository.statuses.filter(({ sha }) => sha === call.params['sha']).toReversed()
      return pageOf(parts, call, found, (status) => shapes.status(world, status))
    },
    permission(call) {
      const { repository } = access.enter(call, READ, 'read')
      const { login, user } = call.params
      const account = [...world.accounts.values()].find(
        (one) => one.login.toLowerCase() === login?.toLowerCase() || String(one.id) === user,
      )
      const body = account && shapes.permission(world, repository, account)
      return body ? { status: 200, body } : dialect.notFound
    },
  }
}

export function pullOf(dialect: Dialect, repository: Repository, { params }: Call): PullRequest {
  const pull = repository.pulls.get(Number(params['number']))
  if (!pull) throw new Refusal(dialect.notFound)
  return pull
}

function createStatus({ world, dialect, access }: Parts, call: Call): Answer {
  const { token, repository } = access.enter(call, WRITE, 'write')
  const status: Status = {
    id: world.nextId(),
    sha: call.params['sha'] ?? '',
    state: textOf(call.body, 'state') ?? '',
    context: dialect.readContext(call.body),
    description: textOf(call.body, 'description') ?? null,
    targetUrl: textOf(call.body, 'target_url') ?? null,
    creator: token.person,
    createdAt: world.clock.text(),
  }
  if (!repository.commits.has(status.sha)) throw new Refusal(dialect.notFound)
  if (!dialect.states.includes(status.state)) throw new Refusal(dialect.wrong('state is invalid'))
  const latest = repository.statuses.findLast(({ sha, context }) => sha === status.sha && context === status.context)
  const fault = dialect.findStatusFault(latest, status)
  if (fault !== undefined) throw new Refusal(dialect.wrong(fault))
  repository.statuses.push(status)
  return { status: 201, body: dialect.shapes.status(world, status) }
}

function commentOperations(parts: Parts): Operations {
  const { world, dialect, access, events } = parts
  const { shapes } = dialect

  function commentOf(repository: Repository, { params }: Call): Comment {
    const comment = repository.comments.get(Number(params['comment']))
    const isThere = params['number'] === undefined || comment?.number === Number(params['number'])
    if (!comment || !isThere) throw new Refusal(dialect.notFound)
    return comment
  }

  function bodyOf({ body }: Call): string {
    const text = textOf(body, 'body') ?? ''
    if (text.trim() === '') throw new Refusal(dialect.wrong('body is empty'))
    return text
  }

  return {
    createComment(call) {
      const { token, repository } = access.enter(call, WRITE_ISSUE, 'read')
      const { number } = pullOf(dialect, repository, call)
      const comment = events.addComment(repository, { number, author: token.person, body: bodyOf(call) })
      return { status: 201, body: shapes.comment(world, repository, comment) }
    },
    comments(call) {
      const { repository } = access.enter(call, READ_ISSUE, 'read')
      const { number } = pullOf(dialect, repository, call)
      const found = [...repository.comments.values()].filter((one) => one.number === number)
      return pageOf(parts, call, found, (comment) => shapes.comment(world, repository, comment))
    },
    comment(call) {
      const { repository } = access.enter(call, READ_ISSUE, 'read')
      return { status: 200, body: shapes.comment(world, repository, commentOf(repository, call)) }
    },
    updateComment(call) {
      const { token, repository } = access.enter(call, WRITE_ISSUE, 'read')
      const comment = commentOf(repository, call)
      if (comment.author !== token.person && access.roleOf(token.person, repository) !== 'admin') {
        throw new Refusal(dialect.forbidden)
      }
      events.editComment(repository, comment, bodyOf(call))
      return { status: 200, body: shapes.comment(world, repository, comment) }
    },
    deleteComment(call) {
      const { repository } = access.enter(call, WRITE_ISSUE, 'read')
      events.deleteComment(repository, commentOf(repository, call))
      return { status: 204 }
    },
    react(call) {
      const { token, repository } = access.enter(call, WRITE_ISSUE, 'read')
      const { reactions } = commentOf(repository, call)
      const content = dialect.readReaction(call.body)
      if (content === undefined) throw new Refusal(dialect.wrong('the reaction is not allowed'))
      const known = reactions.find((one) => one.content === content && one.author === token.person)
      if (known)
        return dialect.id === 'gitlab' ? dialect.notFound : { status: 200, body: shapes.reaction(world, known) }
      const reaction = { id: world.nextId(), author: token.person, content, createdAt: world.clock.text() }
      reactions.push(reaction)
      return { status: 201, body: shapes.reaction(world, reaction) }
    },
    reactions(call) {
      const { repository } = access.enter(call, READ_ISSUE, 'read')
      const { reactions } = commentOf(repository, call)
      return pageOf(parts, call, reactions, (reaction) => shapes.reaction(world, reaction))
    },
  }
}

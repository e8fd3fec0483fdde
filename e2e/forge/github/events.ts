import { createHmac } from 'node:crypto'
import { type Fields, textOf } from '../fields.ts'
import type { Letter, Mailbox } from '../webhooks/mailbox.ts'
import { describeHook } from './describe.ts'
import { checkPayload, commentPayload, commonPayload, type PushedRef, pullPayload, pushPayload } from './payloads.ts'
import { describeAccount, describeInstallation, describeRepositoryShortly, nodeId } from './shapes.ts'
import {
  type Account,
  type App,
  type CheckRun,
  type Comment,
  covers,
  type Installation,
  type PullRequest,
  type Repository,
  type RepositoryHook,
  repositoriesOf,
  type World,
} from './world.ts'

/** The permissions of which an installation needs one, to be told of an event. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  push: ['contents'],
  pull_request: ['pull_requests'],
  issue_comment: ['issues', 'pull_requests'],
  check_run: ['checks'],
  repository: ['metadata'],
}

export interface NewComment {
  readonly number: number
  readonly author: Account
  readonly app: App | null
  readonly body: string
}

/** What happened, told to every webhook that asked for it. */
export interface Events {
  push(repository: Repository, pushed: PushedRef, sender: Account): void
  pull(repository: Repository, pull: PullRequest, action: string, more?: Fields): void
  comment(repository: Repository, comment: Comment, action: string, sender: Account): void
  addComment(repository: Repository, wanted: NewComment): Comment
  checkRun(repository: Repository, check: CheckRun, action: string, sender: Account): void
  installation(installation: Installation, action: string, sender: Account): void
  installationRepositories(
    installation: Installation,
    changed: { readonly added: readonly Repository[]; readonly removed: readonly Repository[] },
    sender: Account,
  ): void
  ping(hook: RepositoryHook): void
  pingApp(app: App): void
}

export function createEvents(world: World): Events {
  const { mailbox } = world

  function tell(repository: Repository, event: string, payload: Fields, only?: App): void {
    const action = textOf(payload, 'action') ?? null
    for (const installation of world.installations.values()) {
      const { app } = installation
      if (only && only !== app) continue
      if (!isTold(installation, repository, event)) continue
      const told = {
        ...payload,
        installation: { id: installation.id, node_id: nodeId('Installation', installation.id) },
      }
      const ids = { repositoryId: repository.id, installationId: installation.id }
      post(mailbox, { hook: app.hook, event, action, payload: told, ...ids })
    }
    if (only) return
    for (const hook of repository.hooks.values()) {
      if (!hook.events.includes(event) && !hook.events.includes('*')) continue
      post(mailbox, { hook, event, action, payload, repositoryId: repository.id, installationId: null })
    }
  }

  /** Every app is told of its installations. */
  function tellApp({ app, id }: Installation, event: string, payload: Fields): void {
    const action = textOf(payload, 'action') ?? null
    post(mailbox, { hook: app.hook, event, action, payload, repositoryId: null, installationId: id })
  }

  const events: Events = {
    push: (repository, pushed, sender) => tell(repository, 'push', pushPayload(world, repository, pushed, sender)),
    pull: (repository, pull, action, more = {}) =>
      tell(repository, 'pull_request', {
        ...pullPayload(world, repository, pull, action),
        ...more,
        ...commonPayload(world, repository, pull.author),
      }),
    comment: (repository, comment, action, sender) =>
      tell(repository, 'issue_comment', {
        ...commentPayload(world, repository, comment, action),
        ...commonPayload(world, repository, sender),
      }),
    addComment(repository, wanted) {
      const now = world.clock.text()
      const comment: Comment = { ...wanted, id: world.nextId(), reactions: [], createdAt: now, updatedAt: now }
      repository.comments.set(comment.id, comment)
      events.comment(repository, comment, 'created', comment.author)
      return comment
    },
    checkRun(repository, check, action, sender) {
      const payload = { ...checkPayload(world, repository, check, action), ...commonPayload(world, repository, sender) }
      // Only the app that made it is asked to run it again.
      tell(repository, 'check_run', payload, action === 'rerequested' ? check.app : undefined)
    },
    installation(installation, action, sender) {
      const repositories = repositoriesOf(world, installation).map(describeRepositoryShortly)
      tellApp(installation, 'installation', {
        action,
        installation: describeInstallation(world, installation),
        ...(action === 'created' || action === 'deleted' ? { repositories } : {}),
        ...(action === 'created' ? { requester: null } : {}),
        sender: describeAccount(world, sender),
      })
    },
    installationRepositories(installation, { added, removed }, sender) {
      tellApp(installation, 'installation_repositories', {
        action: added.length > 0 ? 'added' : 'removed',
        installation: describeInstallation(world, installation),
        repository_selection: installation.selection,
        repositories_added: added.map(describeRepositoryShortly),
        repositories_removed: removed.map(describeRepositoryShortly),
        requester: null,
        sender: describeAccount(world, sender),
      })
    },
    ping(hook) {
      const payload = {
        zen: ZEN,
        hook_id: hook.id,
        hook: describeHook(world, hook),
        ...commonPayload(world, hook.repository, hook.repository.owner),
      }
      post(mailbox, {
        hook,
        event: 'ping',
        action: null,
        payload,
        repositoryId: hook.repository.id,
        installationId: null,
      })
    },
    pingApp({ id, hook, events: chosen, createdAt }) {
      const url = `${world.url}/api/v3/app/hook`
      const described = {
        type: 'App',
        id: hook.id,
        name: 'web',
        active: hook.active,
        events: chosen,
        app_id: id,
        config: { content_type: 'json', insecure_ssl: '0', secret: '********', url: hook.url },
        updated_at: createdAt,
        created_at: createdAt,
        deliveries_url: `${url}/deliveries`,
      }
      const payload = { zen: ZEN, hook_id: hook.id, hook: described }
      post(mailbox, { hook, event: 'ping', action: null, payload, repositoryId: null, installationId: null })
    },
  }
  return events
}

const ZEN = 'Keep it logically awesome.'

function isTold(installation: Installation, repository: Repository, event: string): boolean {
  if (installation.suspendedAt || !covers(installation, repository) || !installation.events.includes(event))
    return false
  return (NEEDS[event] ?? []).some((permission) => installation.permissions[permission] !== undefined)
}

function post(mailbox: Mailbox, letter: Letter): void {
  if (letter.hook.active) mailbox.post(letter)
}

/** How GitHub names and proves a delivery. */
export function deliveryHeaders(world: World, { hook, event, repositoryId }: Letter, guid: string, body: Buffer) {
  const sign = (algorithm: string, secret: string) => createHmac(algorithm, secret).update(body).digest('hex')
  const app = world.apps.values().find((one) => one.hook === hook)
  return {
    accept: '*/*',
    'user-agent': 'GitHub-Hookshot/44a9d2f',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(hook.id),
    'x-github-hook-installation-target-id': String(app?.id ?? repositoryId),
    'x-github-hook-installation-target-type': app ? 'integration' : 'repository',
    ...(hook.secret === null || hook.secret === ''
      ? {}
      : {
          'x-hub-signature': `sha1=${sign('sha1', hook.secret)}`,
          'x-hub-signature-256': `sha256=${sign('sha256', hook.secret)}`,
        }),
  }
}

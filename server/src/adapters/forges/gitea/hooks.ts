import { type CallBase, callForge, callPages, encodeSegments } from '../api-client.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, flag, id, name, text } from '../payload-fields.ts'
import type { ForgeConnection, ForgeHooks, HookDifference } from '../port.ts'
import { type ListedHook, readCreated, readEvents, repositoryHooks, withoutValue } from '../repository-hooks.ts'
import { hasNext } from './repositories.ts'

/** The events that triggers can use. No push tells that a branch is gone: `delete` does. */
export const EVENTS = [
  'push',
  'delete',
  'pull_request_only',
  'pull_request_sync',
  'pull_request_label',
  'pull_request_comment',
  'release',
  'repository',
]

interface GiteaHook extends ListedHook {
  readonly events: readonly string[]
  /** An update that leaves them out would empty them. */
  readonly branchFilter: string
  readonly authorizationHeader: string
}

/** How the family differs: the kind of webhook, the events and whether it has a call that sends a test. */
export interface HookDialect {
  readonly type: 'gitea' | 'forgejo' | 'gogs'
  readonly events: readonly string[]
  readonly right: string
  readonly sendsTests: boolean
}

export const SCOPE = 'the scope write:repository, of an administrator of the repository'

/** Gitea, Forgejo and Gogs. An update of a webhook leaves the secret as it is. */
export function hooksOf(
  { type, events, right, sendsTests }: HookDialect,
  callOf: (connection: ForgeConnection) => CallBase,
): ForgeHooks {
  return repositoryHooks<GiteaHook>({
    right,
    notByUpdate: ['secret'],

    list(connection, { repository }) {
      const path = (page: number) => `${pathOf(repository)}?limit=50&page=${page}`
      return callPages(
        connection,
        { ...callOf(connection), path: path(1) },
        (body) => (Array.isArray(body) ? body.filter(isObject).flatMap((hook) => readHook(hook, events)) : undefined),
        (reply, page) => (hasNext(reply) ? path(page + 1) : undefined),
      )
    },

    async create(connection, { repository, url, secret }) {
      const config = { url, content_type: 'json', secret }
      const body = { type, active: true, events, config }
      const path = pathOf(repository)
      const answer = await callForge(connection, { ...callOf(connection), method: 'POST', path, body })
      return answer.outcome === 'found' ? readCreated(answer.value.body) : answer
    },

    async update(connection, { repository, url }, hook) {
      const answer = await callForge(connection, {
        ...callOf(connection),
        method: 'PATCH',
        path: `${pathOf(repository)}/${encodeURIComponent(hook.id)}`,
        body: {
          active: true,
          events: [...new Set([...events, ...hook.events])],
          config: { url, content_type: 'json' },
          branch_filter: hook.branchFilter,
          authorization_header: hook.authorizationHeader,
        },
      })
      return withoutValue(answer)
    },

    async remove(connection, repository, hookId) {
      const path = `${pathOf(repository)}/${encodeURIComponent(hookId)}`
      return withoutValue(await callForge(connection, { ...callOf(connection), method: 'DELETE', path }))
    },

    test: sendsTests
      ? async (connection, { repository }, hookId) => {
          const path = `${pathOf(repository)}/${encodeURIComponent(hookId)}/tests`
          return withoutValue(await callForge(connection, { ...callOf(connection), method: 'POST', path }))
        }
      : null,
  })
}

function pathOf(repository: string): string {
  return `/repos/${encodeSegments(repository)}/hooks`
}

/** Empty where the item is no webhook that calls an address. */
function readHook(hook: JsonObject, wanted: readonly string[]): GiteaHook[] {
  const [hookId, url] = [id(hook, 'id'), name(child(hook, 'config'), 'url')]
  if (hookId === null || url === null) return []
  const events = readEvents(hook).map((event) => toWritten(event, wanted))
  const differences: HookDifference[] = []
  if (flag(hook, 'active') === false) differences.push('disabled')
  if (wanted.some((event) => !events.includes(event))) differences.push('events')
  if (child(hook, 'config')['content_type'] !== 'json') differences.push('content_type')
  return [
    {
      id: hookId,
      url,
      differences,
      events,
      branchFilter: text(hook, 'branch_filter') ?? '',
      authorizationHeader: text(hook, 'authorization_header') ?? '',
    },
  ]
}

/** Gitea lists `pull_request_only` as `pull_request`; in a write, `pull_request` means the whole group. */
function toWritten(event: string, wanted: readonly string[]): string {
  return wanted.includes(`${event}_only`) || event === 'issues' ? `${event}_only` : event
}

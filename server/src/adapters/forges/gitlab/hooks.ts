import { callForge, callPages, nextByLink } from '../api-client.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { flag, id, name } from '../payload-fields.ts'
import type { HookDifference, WantedHook } from '../port.ts'
import { type ListedHook, readCreated, repositoryHooks, withoutValue } from '../repository-hooks.ts'
import { callOf, projectPath } from './api.ts'

/** The events that triggers can use. */
const EVENTS = ['push_events', 'tag_push_events', 'merge_requests_events', 'note_events', 'releases_events']

/**
 * A test of this event starts nothing, because no trigger can use it; a test of any other event looks like a real one.
 * Known since 16.11; an older GitLab refuses.
 */
const TESTED = 'resource_access_token_events'

export const hooks = repositoryHooks<ListedHook>({
  right: 'the scope api, of a maintainer of the project',
  // GitLab enables a webhook again only when a test of it is answered well.
  notByUpdate: ['disabled'],

  list(connection, { repository }) {
    const call = callOf(connection)
    return callPages(
      connection,
      { ...call, path: `${pathOf(repository)}?per_page=100` },
      (body) => (Array.isArray(body) ? body.filter(isObject).flatMap(readHook) : undefined),
      (reply) => nextByLink(reply, call.apiUrl),
    )
  },

  async create(connection, wanted) {
    const body = { ...describe(wanted), enable_ssl_verification: true }
    const path = pathOf(wanted.repository)
    const answer = await callForge(connection, { ...callOf(connection), method: 'POST', path, body })
    return answer.outcome === 'found' ? readCreated(answer.value.body) : answer
  },

  async update(connection, wanted, hook) {
    const path = `${pathOf(wanted.repository)}/${encodeURIComponent(hook.id)}`
    const body = describe(wanted)
    return withoutValue(await callForge(connection, { ...callOf(connection), method: 'PUT', path, body }))
  },

  async remove(connection, repository, hookId) {
    const path = `${pathOf(repository)}/${encodeURIComponent(hookId)}`
    return withoutValue(await callForge(connection, { ...callOf(connection), method: 'DELETE', path }))
  },

  async test(connection, { repository }, hookId) {
    const path = `${pathOf(repository)}/${encodeURIComponent(hookId)}/test/${TESTED}`
    return withoutValue(await callForge(connection, { ...callOf(connection), method: 'POST', path }))
  },
})

function pathOf(repository: string): string {
  return `${projectPath(repository)}/hooks`
}

function describe({ url, authMode, secret }: WantedHook) {
  const events = Object.fromEntries(EVENTS.map((event) => [event, true]))
  return { url, ...events, ...(authMode === 'token' ? { token: secret } : { signing_token: secret }) }
}

/** Empty where the item is no webhook. */
function readHook(hook: JsonObject): ListedHook[] {
  const [hookId, url] = [id(hook, 'id'), name(hook, 'url')]
  if (hookId === null || url === null) return []
  const differences: HookDifference[] = []
  if (['disabled', 'temporarily_disabled'].includes(name(hook, 'alert_status') ?? '')) differences.push('disabled')
  if (EVENTS.some((event) => flag(hook, event) === false)) differences.push('events')
  return [{ id: hookId, url, differences }]
}

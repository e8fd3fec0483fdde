import { callForge, callPages, encodeSegments, nextByLink } from '../api-client.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, flag, id, name } from '../payload-fields.ts'
import type { HookDifference, WantedHook } from '../port.ts'
import { type ListedHook, readCreated, readEvents, repositoryHooks, withoutValue } from '../repository-hooks.ts'
import { apiUrl, callOf } from './api.ts'

/** The events that triggers can use. `create` and `delete` say what a push says too. */
const EVENTS = ['push', 'pull_request', 'issue_comment', 'pull_request_review_comment', 'release', 'repository']

interface GithubHook extends ListedHook {
  readonly events: readonly string[]
  /** A person may have switched the check of certificates off: an update that leaves it out would switch it on. */
  readonly insecureSsl: string
}

export const hooks = repositoryHooks<GithubHook>({
  right: 'Webhooks (read and write) of a fine-grained token, or the scope admin:repo_hook of a classic one',
  notByUpdate: [],

  list(connection, { repository }) {
    return callPages(
      connection,
      { ...callOf(connection), path: `${pathOf(repository)}?per_page=100` },
      (body) => (Array.isArray(body) ? body.filter(isObject).flatMap(readHook) : undefined),
      (reply) => nextByLink(reply, apiUrl(connection)),
    )
  },

  async create(connection, wanted) {
    const answer = await callForge(connection, {
      ...callOf(connection),
      method: 'POST',
      path: pathOf(wanted.repository),
      body: { name: 'web', active: true, events: EVENTS, config: configOf(wanted, '0') },
    })
    return answer.outcome === 'found' ? readCreated(answer.value.body) : answer
  },

  async update(connection, wanted, hook) {
    const events = [...new Set([...EVENTS, ...hook.events])]
    const answer = await callForge(connection, {
      ...callOf(connection),
      method: 'PATCH',
      path: `${pathOf(wanted.repository)}/${encodeURIComponent(hook.id)}`,
      body: { active: true, events, config: configOf(wanted, hook.insecureSsl) },
    })
    return withoutValue(answer)
  },

  async remove(connection, repository, hookId) {
    const path = `${pathOf(repository)}/${encodeURIComponent(hookId)}`
    return withoutValue(await callForge(connection, { ...callOf(connection), method: 'DELETE', path }))
  },

  async test(connection, { repository }, hookId) {
    const path = `${pathOf(repository)}/${encodeURIComponent(hookId)}/pings`
    return withoutValue(await callForge(connection, { ...callOf(connection), method: 'POST', path }))
  },
})

function pathOf(repository: string): string {
  return `/repos/${encodeSegments(repository)}/hooks`
}

function configOf({ url, secret }: WantedHook, insecureSsl: string) {
  return { url, content_type: 'json', secret, insecure_ssl: insecureSsl }
}

/** Empty where the item is no webhook that calls an address. */
function readHook(hook: JsonObject): GithubHook[] {
  const [hookId, url] = [id(hook, 'id'), name(child(hook, 'config'), 'url')]
  if (hookId === null || url === null) return []
  const events = readEvents(hook)
  const { content_type: contentType, insecure_ssl: insecureSsl } = child(hook, 'config')
  const differences: HookDifference[] = []
  if (flag(hook, 'active') === false) differences.push('disabled')
  if (!events.includes('*') && EVENTS.some((event) => !events.includes(event))) differences.push('events')
  if (contentType !== 'json') differences.push('content_type')
  return [{ id: hookId, url, differences, events, insecureSsl: String(insecureSsl ?? '0') }]
}

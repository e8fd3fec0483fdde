import { callForge, callPages } from '../api-client.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { children, flag, id, name } from '../payload-fields.ts'
import type { HookDifference, WantedHook } from '../port.ts'
import { type ListedHook, readCreated, readEvents, repositoryHooks, withoutValue } from '../repository-hooks.ts'
import { callOf } from './api.ts'
import { nextStart } from './repositories.ts'

/** The events that triggers can use. */
const EVENTS = [
  'repo:refs_changed',
  'repo:modified',
  'pr:opened',
  'pr:from_ref_updated',
  'pr:modified',
  'pr:merged',
  'pr:declined',
  'pr:deleted',
  'pr:comment:added',
  'pr:comment:edited',
  'pr:comment:deleted',
]

interface DatacenterHook extends ListedHook {
  readonly events: readonly string[]
  /** An update replaces the whole webhook. */
  readonly name: string
  readonly checksCertificates: boolean
}

export const hooks = repositoryHooks<DatacenterHook>({
  right: 'an HTTP access token with the permission "Repository admin"',
  notByUpdate: [],

  list(connection, { repository }) {
    const path = (start: number) => callOf(connection, repository, `/webhooks?limit=100&start=${start}`).path
    return callPages(
      connection,
      { ...callOf(connection, repository, ''), path: path(0) },
      (body) =>
        isObject(body) && Array.isArray(body['values']) ? children(body, 'values').flatMap(readHook) : undefined,
      (reply) => {
        const start = nextStart(reply)
        return start === undefined ? undefined : path(start)
      },
    )
  },

  async create(connection, wanted) {
    const call = callOf(connection, wanted.repository, '/webhooks')
    const body = { name: 'Signalbox', ...describe(wanted), events: EVENTS, sslVerificationRequired: true }
    const answer = await callForge(connection, { ...call, method: 'POST', body })
    return answer.outcome === 'found' ? readCreated(answer.value.body) : answer
  },

  async update(connection, wanted, hook) {
    const call = callOf(connection, wanted.repository, `/webhooks/${encodeURIComponent(hook.id)}`)
    const body = {
      name: hook.name,
      ...describe(wanted),
      events: [...new Set([...EVENTS, ...hook.events])],
      sslVerificationRequired: hook.checksCertificates,
    }
    return withoutValue(await callForge(connection, { ...call, method: 'PUT', body }))
  },

  async remove(connection, repository, hookId) {
    const call = callOf(connection, repository, `/webhooks/${encodeURIComponent(hookId)}`)
    return withoutValue(await callForge(connection, { ...call, method: 'DELETE' }))
  },

  async test(connection, { repository, url }, hookId) {
    const query = new URLSearchParams({ webhookId: hookId, url })
    const call = callOf(connection, repository, `/webhooks/test?${query}`)
    return withoutValue(await callForge(connection, { ...call, method: 'POST', body: {} }))
  },
})

function describe({ url, authMode, secret }: WantedHook) {
  if (authMode !== 'basic') return { url, active: true, configuration: { secret } }
  const cut = secret.indexOf(':')
  const credentials = { username: secret.slice(0, cut), password: secret.slice(cut + 1) }
  return { url, active: true, configuration: {}, credentials }
}

/** Empty where the item is no webhook. */
function readHook(hook: JsonObject): DatacenterHook[] {
  const [hookId, url] = [id(hook, 'id'), name(hook, 'url')]
  if (hookId === null || url === null) return []
  const events = readEvents(hook)
  const differences: HookDifference[] = []
  if (flag(hook, 'active') === false) differences.push('disabled')
  if (EVENTS.some((event) => !events.includes(event))) differences.push('events')
  const checksCertificates = flag(hook, 'sslVerificationRequired') ?? true
  return [{ id: hookId, url, differences, events, name: name(hook, 'name') ?? 'Signalbox', checksCertificates }]
}

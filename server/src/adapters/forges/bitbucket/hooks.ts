import { callForge, callPages, pathBelow, undocumented } from '../api-client.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { children, flag, name } from '../payload-fields.ts'
import type { HookDifference, WantedHook } from '../port.ts'
import { type ListedHook, readEvents, repositoryHooks, withoutValue } from '../repository-hooks.ts'
import { apiUrl, callOf } from './api.ts'

/** The events that triggers can use. */
const EVENTS = [
  'repo:push',
  'repo:updated',
  'repo:transfer',
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
  'pullrequest:comment_created',
  'pullrequest:comment_updated',
  'pullrequest:comment_deleted',
]

interface BitbucketHook extends ListedHook {
  readonly events: readonly string[]
  /** An update replaces the whole webhook. */
  readonly description: string
  readonly skipCertificates: boolean
}

export const hooks = repositoryHooks<BitbucketHook>({
  right: 'the scope webhook, of an administrator of the repository',
  notByUpdate: [],

  list(connection, { repository }) {
    return callPages(
      connection,
      callOf(connection, repository, '/hooks?pagelen=100'),
      (body) =>
        isObject(body) && Array.isArray(body['values']) ? children(body, 'values').flatMap(readHook) : undefined,
      ({ body }) => {
        const next = isObject(body) ? name(body, 'next') : null
        return next === null ? undefined : pathBelow(next, apiUrl(connection))
      },
    )
  },

  async create(connection, wanted) {
    const call = callOf(connection, wanted.repository, '/hooks')
    const body = { description: 'Signalbox', ...describe(wanted), events: EVENTS }
    const answer = await callForge(connection, { ...call, method: 'POST', body })
    if (answer.outcome !== 'found') return answer
    const made = isObject(answer.value.body) ? name(answer.value.body, 'uuid') : null
    return made === null ? undocumented() : { outcome: 'found', value: made }
  },

  async update(connection, wanted, { id, events, description, skipCertificates }) {
    const call = callOf(connection, wanted.repository, `/hooks/${encodeURIComponent(id)}`)
    const body = {
      description,
      ...describe(wanted),
      events: [...new Set([...EVENTS, ...events])],
      skip_cert_verification: skipCertificates,
    }
    return withoutValue(await callForge(connection, { ...call, method: 'PUT', body }))
  },

  async remove(connection, repository, hookId) {
    const call = callOf(connection, repository, `/hooks/${encodeURIComponent(hookId)}`)
    return withoutValue(await callForge(connection, { ...call, method: 'DELETE' }))
  },

  test: null,
})

function describe({ url, secret }: WantedHook) {
  return { url, active: true, secret }
}

/** Empty where the item is no webhook. */
function readHook(hook: JsonObject): BitbucketHook[] {
  const [id, url] = [name(hook, 'uuid'), name(hook, 'url')]
  if (id === null || url === null) return []
  const events = readEvents(hook)
  const differences: HookDifference[] = []
  if (flag(hook, 'active') === false) differences.push('disabled')
  if (EVENTS.some((event) => !events.includes(event))) differences.push('events')
  const skipCertificates = flag(hook, 'skip_cert_verification') ?? false
  return [{ id, url, differences, events, description: name(hook, 'description') ?? 'Signalbox', skipCertificates }]
}

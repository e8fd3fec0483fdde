import { callForge, type ForgeCall, undocumented } from '../api-client.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, id, name } from '../payload-fields.ts'
import type {
  ForgeAnswer,
  ForgeConnection,
  ForgeHooks,
  FoundHook,
  HookDifference,
  PlacedHook,
  WantedHook,
} from '../port.ts'
import { withoutValue } from '../repository-hooks.ts'
import { callOf } from './api.ts'

/** A subscription tells of one event; these together are what triggers can use. */
const KINDS = [
  { eventType: 'git.push' },
  { eventType: 'git.pullrequest.created' },
  { eventType: 'git.pullrequest.updated', notificationType: 'PushNotification' },
  { eventType: 'git.pullrequest.updated', notificationType: 'StatusUpdateNotification' },
  { eventType: 'ms.vss-code.git-pullrequest-comment-event' },
] as const
type Kind = (typeof KINDS)[number]

const SUBSCRIPTIONS = '/_apis/hooks/subscriptions'
const VERSION = 'api-version=7.1'
/** A subscription `onProbation` still sends; a delivery that is answered well enables it again. */
const SENDING = ['enabled', 'onProbation']

interface Subscription {
  readonly id: string
  readonly url: string
  readonly kind: Kind | undefined
  readonly sends: boolean
}

/** The shared parts of calls about one repository, and the webhooks found there. */
interface Found {
  readonly call: ForgeCall
  readonly repositoryId: string
  readonly projectId: string
  readonly own: readonly Subscription[]
}

/** The webhook of a repository is one subscription for each event. The webhook's id joins all their ids by commas. */
export const hooks: ForgeHooks = {
  right: 'a personal access token that may read code and manage service hooks, of an administrator of the project',

  async find(connection, wanted) {
    const found = await findOwn(connection, wanted)
    return found.outcome === 'found' ? { outcome: 'found', value: judge(found.value.own, wanted) } : found
  },

  async place(connection, wanted) {
    const found = await findOwn(connection, wanted)
    if (found.outcome !== 'found') return found
    const { hookId, differences } = judge(found.value.own, wanted)
    if (hookId !== null && differences.length === 0) {
      return { outcome: 'found', value: { hookId, done: 'unchanged', differences } }
    }
    return placeAll(connection, wanted, found.value, hookId === null ? [] : differences)
  },

  async remove(connection, wanted) {
    const found = await findOwn(connection, wanted)
    return found.outcome === 'found' ? removeAll(connection, found.value.call, found.value.own) : found
  },

  test: null,
}

async function findOwn(
  connection: ForgeConnection,
  { repository, isOwn }: Pick<WantedHook, 'repository' | 'isOwn'>,
): Promise<ForgeAnswer<Found>> {
  const asked = callOf(connection, repository, `?${VERSION}`)
  if (asked.outcome !== 'found') return asked
  const call = asked.value
  const there = await callForge(connection, call)
  if (there.outcome !== 'found') return there
  const { body } = there.value
  const repositoryId = isObject(body) ? name(body, 'id') : null
  const projectId = isObject(body) ? name(child(body, 'project'), 'id') : null
  if (repositoryId === null || projectId === null) return undocumented()
  const query = `publisherId=tfs&consumerId=webHooks&consumerActionId=httpRequest&${VERSION}`
  const listed = await callForge(connection, { ...call, path: `${SUBSCRIPTIONS}?${query}` })
  if (listed.outcome !== 'found') return listed
  const all = listed.value.body
  if (!isObject(all) || !Array.isArray(all['value'])) return undocumented()
  const own = children(all, 'value')
    .filter((one) => name(child(one, 'publisherInputs'), 'repository')?.toLowerCase() === repositoryId.toLowerCase())
    .flatMap(readSubscription)
    .filter(({ url }) => isOwn(url))
  return { outcome: 'found', value: { call, repositoryId, projectId, own } }
}

function readSubscription(one: JsonObject): Subscription[] {
  const [subscriptionId, url] = [id(one, 'id'), name(child(one, 'consumerInputs'), 'url')]
  if (subscriptionId === null || url === null) return []
  const notification = name(child(one, 'publisherInputs'), 'notificationType')
  const kind = KINDS.find((known) => {
    const wanted = 'notificationType' in known ? known.notificationType : null
    return known.eventType === one['eventType'] && (wanted === null || wanted === notification)
  })
  return [{ id: subscriptionId, url, kind, sends: SENDING.includes(name(one, 'status') ?? 'enabled') }]
}

function judge(own: readonly Subscription[], { url, holder }: WantedHook): FoundHook {
  const kept = keptOf(own)
  if (kept.length === 0) return { hookId: null, differences: ['missing'] }
  const hookId = kept.map(({ id: each }) => each).join(',')
  const differences: HookDifference[] = []
  if (kept.some(({ sends }) => !sends)) differences.push('disabled')
  if (kept.length < KINDS.length) differences.push('events')
  if (kept.some((each) => each.url !== url)) differences.push('address')
  if (hookId !== holder) differences.push('secret')
  if (doubledOf(own).length > 0) differences.push('doubled')
  return { hookId, differences }
}

/** One of each kind. */
function keptOf(own: readonly Subscription[]): readonly Subscription[] {
  return KINDS.flatMap((kind) => own.find((each) => each.kind === kind) ?? [])
}

/** Subscriptions for a kind that another one covers already. Subscriptions that a person added stay. */
function doubledOf(own: readonly Subscription[]): readonly Subscription[] {
  const kept = keptOf(own)
  return own.filter((each) => each.kind !== undefined && !kept.includes(each))
}

async function placeAll(
  connection: ForgeConnection,
  wanted: WantedHook,
  { call, repositoryId, projectId, own }: Found,
  differences: readonly HookDifference[],
): Promise<ForgeAnswer<PlacedHook>> {
  const ids: string[] = []
  for (const kind of KINDS) {
    const known = own.find((each) => each.kind === kind)
    const path = known === undefined ? SUBSCRIPTIONS : `${SUBSCRIPTIONS}/${encodeURIComponent(known.id)}`
    const answer = await callForge(connection, {
      ...call,
      method: known === undefined ? 'POST' : 'PUT',
      path: `${path}?${VERSION}`,
      body: describe(wanted, kind, { repositoryId, projectId }),
    })
    if (answer.outcome !== 'found') return answer
    const made = isObject(answer.value.body) ? id(answer.value.body, 'id') : null
    const placed = known?.id ?? made
    if (placed === null) return undocumented()
    ids.push(placed)
  }
  const removed = await removeAll(connection, call, doubledOf(own))
  if (removed.outcome !== 'found') return removed
  const done = differences.length === 0 ? 'created' : 'repaired'
  return { outcome: 'found', value: { hookId: ids.join(','), done, differences } }
}

function describe(
  { url, secret }: WantedHook,
  kind: Kind,
  { repositoryId, projectId }: Pick<Found, 'repositoryId' | 'projectId'>,
) {
  const cut = secret.indexOf(':')
  const notificationType = 'notificationType' in kind ? { notificationType: kind.notificationType } : {}
  const branch = kind.eventType === 'ms.vss-code.git-pullrequest-comment-event' ? {} : { branch: '' }
  return {
    publisherId: 'tfs',
    eventType: kind.eventType,
    resourceVersion: '1.0',
    consumerId: 'webHooks',
    consumerActionId: 'httpRequest',
    status: 'enabled',
    publisherInputs: { projectId, repository: repositoryId, ...branch, ...notificationType },
    consumerInputs: {
      url,
      basicAuthUsername: secret.slice(0, cut),
      basicAuthPassword: secret.slice(cut + 1),
      resourceDetailsToSend: 'all',
      messagesToSend: 'none',
      detailedMessagesToSend: 'none',
    },
  }
}

/** A subscription that is gone already is as good as removed. */
async function removeAll(
  connection: ForgeConnection,
  call: ForgeCall,
  subscriptions: readonly Subscription[],
): Promise<ForgeAnswer<number>> {
  for (const each of subscriptions) {
    const path = `${SUBSCRIPTIONS}/${encodeURIComponent(each.id)}?${VERSION}`
    const removed = withoutValue(await callForge(connection, { ...call, method: 'DELETE', path }))
    if (removed.outcome === 'failed') return removed
  }
  return { outcome: 'found', value: subscriptions.length }
}

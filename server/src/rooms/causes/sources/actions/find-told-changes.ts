import type { PushQuery } from '@signalbox/contracts/sources'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { StoredEvent } from '#rooms/causes/events'
import { orUnavailable } from '../errors.ts'
import type { LiveSource } from '../ingress/source-book.ts'
import type { Means } from '../means.ts'
import { type Delivery, refsOf, refsOfPullRequest } from '../rules/index.ts'
import { findAnswers } from '../store/answers.ts'
import * as store from '../store/deliveries.ts'

/** Records of one change that are looked through, the newest. */
const MOST_FOUND = 10
/** Sources that are asked for a provider's delivery id, or for the head of a pull request. */
const MOST_ASKED = 50

/** What was asked for, and what is on record of it. */
export interface ToldChanges {
  /** Null: a delivery was asked for that names none. */
  readonly repository: string | null
  readonly asksChange: boolean
  /** Sources whose deliveries the caller may see. */
  readonly readable: readonly LiveSource[]
  /** Newest first. */
  readonly deliveries: readonly Delivery[]
  /** The events that were found themselves; empty: all of the deliveries count. */
  readonly eventIds: ReadonlySet<string>
  /** Events that were posted, and no delivery told of. */
  readonly posted: readonly StoredEvent[]
  /** There are more records than were looked through. */
  readonly goesOn: boolean
}

/**
 * The records of a push, tag, pull request or delivery, as far as the caller may see them. Throws invalid_request (400),
 * and for a delivery the same not_found (404) whether it never was or is hidden.
 */
export async function findToldChanges(means: Means, caller: Caller, query: PushQuery): Promise<ToldChanges> {
  requireOneChange(query)
  const readable = await findReadable(means, caller)
  if (query.delivery_id !== undefined) return findDelivered(means, readable, query, query.delivery_id)
  const { repository } = query
  if (repository === undefined) throw invalid('repository', 'is needed where no delivery is named')
  const wishes = await wishesOf(means, readable, { ...query, repository })
  const sourceIds = readable.map(({ source }) => source.id)
  const posted = { by: caller, prefixes: caller.prefixes('event.read') }
  const scope = { sourceIds, repository, limit: MOST_FOUND }
  const none = { before: undefined, kind: undefined, result: undefined, since: undefined, until: undefined }
  const db = means.database.kysely
  const [listed, events] = await Promise.all([
    Promise.all(wishes.map((wish) => store.listDeliveries(db, { ...scope, ...wish }))),
    Promise.all(wishes.map((wish) => means.events.list(db, { ...none, ...scope, ...wish, posted }))),
  ])
  const [rows, eventRows] = [listed.flat(), events.flat()]
  const ofDeliveries = [...rows.map(({ id }) => id), ...eventRows.flatMap((each) => each.deliveryRecordId ?? [])]
  const ids = [...new Set(ofDeliveries)].sort().reverse()
  const deliveries = await loadAll(means, readable, ids.slice(0, MOST_FOUND))
  const own = eventRows.filter(({ sourceId }) => sourceId === null)
  const found = await Promise.all(own.map(({ id }) => means.events.find(db, id)))
  return {
    repository,
    asksChange: wishes.some((wish) => Object.keys(wish).length > 0),
    readable,
    deliveries,
    eventIds: new Set(eventRows.map(({ id }) => id)),
    posted: found.filter((event) => event !== undefined),
    goesOn: ids.length >= MOST_FOUND || own.length >= MOST_FOUND,
  }
}

const CHANGES = ['commit_sha', 'ref', 'tag', 'pull_request', 'delivery_id'] as const

function requireOneChange(query: PushQuery): void {
  const [, second] = CHANGES.filter((name) => query[name] !== undefined)
  if (second) throw invalid(second, `cannot be asked for with another change: name one of ${CHANGES.join(', ')}`)
}

function invalid(field: string, message: string) {
  return platformProblem('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}

async function findReadable(means: Means, caller: Caller): Promise<readonly LiveSource[]> {
  if (caller.prefixes('delivery.read').length === 0) return []
  const book = await orUnavailable(means.ingress.book.get())
  return [...book.values()].filter(
    ({ source: { teamPath } }) => caller.can('webhook_source.read', teamPath) && caller.can('delivery.read', teamPath),
  )
}

type Wish = Pick<store.DeliveryFilter, 'commit' | 'refs'>
type AskedRepository = PushQuery & { readonly repository: string }

/** Some providers tell of a pull request by its branch: its newest commit finds those. */
async function wishesOf(
  means: Means,
  readable: readonly LiveSource[],
  query: AskedRepository,
): Promise<readonly Wish[]> {
  const { commit_sha: commit, ref, tag, pull_request: number, repository } = query
  if (commit !== undefined) return [{ commit: commit.toLowerCase() }]
  if (ref !== undefined) return [{ refs: refsOf(ref) }]
  if (tag !== undefined) return [{ refs: [tag.startsWith('refs/') ? tag : `refs/tags/${tag}`] }]
  if (number === undefined) return [{}]
  const admitting = readable.filter((live) => live.allows(repository)).slice(0, MOST_ASKED)
  const heads = await Promise.all(
    admitting.map(({ source }) => means.events.findHead(means.database.kysely, source.id, repository, number)),
  )
  const commits = new Set(heads.flatMap((head) => head?.headSha?.toLowerCase() ?? []))
  return [{ refs: refsOfPullRequest(number) }, ...[...commits].slice(0, 5).map((each) => ({ commit: each }))]
}

/** Newest first, with their traces. */
async function loadAll(
  means: Means,
  readable: readonly LiveSource[],
  ids: readonly string[],
): Promise<readonly Delivery[]> {
  const found = await Promise.all(ids.map((id) => load(means, readable, id)))
  return found.filter((delivery) => delivery !== undefined)
}

/** Undefined: it is gone, or of a source that the caller may not see. */
export async function load(
  { database }: Pick<Means, 'database'>,
  readable: readonly LiveSource[],
  id: string,
): Promise<Delivery | undefined> {
  const sourceId = await store.findSourceId(database.kysely, id)
  if (sourceId === undefined || !readable.some(({ source }) => source.id === sourceId)) return undefined
  return store.findDelivery(database.kysely, sourceId, id)
}

async function findDelivered(
  means: Means,
  readable: readonly LiveSource[],
  { repository }: PushQuery,
  id: string,
): Promise<ToldChanges> {
  const record = UUID.test(id) ? await load(means, readable, id) : undefined
  const admitting = readable.filter((live) => repository === undefined || live.allows(repository))
  const deliveries = record ? [record] : await findByProviderId(means, admitting, id)
  const wanted = repository?.toLowerCase()
  const fitting = deliveries.filter((each) => wanted === undefined || each.repository?.toLowerCase() === wanted)
  if (fitting.length === 0) throw platformProblem('not_found', 'There is no delivery of this id that you may see.')
  const named = repository ?? fitting.find((each) => each.repository !== null)?.repository ?? null
  return {
    repository: named,
    asksChange: true,
    readable,
    deliveries: fitting,
    eventIds: new Set(),
    posted: [],
    goesOn: false,
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function findByProviderId(
  means: Means,
  readable: readonly LiveSource[],
  id: string,
): Promise<readonly Delivery[]> {
  const db = means.database.kysely
  const asked = readable.slice(0, MOST_ASKED)
  const answers = await Promise.all(asked.map(({ source }) => findAnswers(db, source.id, [id], new Date(0))))
  const ids = answers.flat().map(({ deliveryRecordId }) => deliveryRecordId)
  return loadAll(means, readable, ids.sort().reverse().slice(0, MOST_FOUND))
}

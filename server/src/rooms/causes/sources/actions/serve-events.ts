import type { Event } from '@signalbox/contracts/event'
import type { EventTrace } from '@signalbox/contracts/events'
import { DeliveryTrace } from '@signalbox/contracts/sources'
import { compilePatterns } from '@signalbox/pipeline/patterns'
import { Value } from 'typebox/value'
import { execute, type Tx } from '#platform/database'
import type { Caller } from '#platform/http'
import type {
  DeliveryCompletion,
  RepositoryAccess,
  RepositoryConnection,
  RepositoryRefusal,
} from '#rooms/causes/events'
import type { MatchContext } from '#rooms/causes/triggers'
import type { Means } from '../means.ts'
import {
  addressOf,
  cloneUrlOf,
  completeOutcome,
  credentialFor,
  isReachable,
  matchContextOf,
  type Source,
  wishOf,
} from '../rules/index.ts'
import { lockOutcome, updateOutcome } from '../store/complete.ts'
import { findSource, listSources } from '../store/sources.ts'
import { type AskedRepository, permissionQuestion } from './ask-permissions.ts'
import { withOtherNames } from './know-names.ts'
import { readDeliveries } from './serve-deliveries.ts'

/** How the repository of an event is read with the credential of its source as it is today. */
export async function repositoryOf(
  means: Means,
  sourceId: string,
  event: Event,
): Promise<RepositoryAccess | RepositoryRefusal> {
  const source = await findSource(means.database.kysely, sourceId)
  if (!source) return { refused: 'The source of the delivery was deleted.', context: undefined }
  const context = await contextFor(means, source, event)
  const refuse = (refused: string) => ({ refused, context })
  const forge = means.forges.find(source.provider)
  const address = forge && addressOf(source, forge, means.config.providerHosts)
  const origin = address === undefined ? undefined : new URL(address).origin
  const cloneUrl = cloneUrlOf(event.repository, forge, address)
  if (address === undefined || !isReachable(origin, cloneUrl)) {
    return refuse('The address of the repository is not one of the provider that the source names.')
  }
  const { full_name: repository } = event.repository
  const login = await means.gitApps.readLogin(
    wishOf(source, { baseUrl: address, repository, uses: ['read'] }),
    // Each call has a time limit of its own.
    new AbortController().signal,
  )
  if (login && 'unusable' in login) {
    return refuse(`The read credential of the source cannot be used: ${login.unusable}`)
  }
  return {
    address: { cloneUrl, credential: login },
    context,
    readsFiles: source.readRepository,
    teamPath: source.teamPath,
    owner: source.owner,
    checkoutCredentialRef: credentialFor(source, origin, cloneUrl),
    findPullRequest: askerOf(means, { source, forge, baseUrl: address, repository }),
    findPermission: permissionQuestion(means, { source, forge, baseUrl: address, repository }),
  }
}

async function contextFor(means: Means, source: Source, event: Event): Promise<MatchContext> {
  const allowlist = compilePatterns(source.repositoryAllowlist, { caseInsensitive: true })
  const naming = { source, allows: (name: string) => allowlist.matches(name) }
  const context = matchContextOf(source, await means.access.snapshot())
  return withOtherNames(context, await means.ingress.names.get(), naming, { event, at: means.clock.now() })
}

function askerOf(means: Means, asked: AskedRepository): RepositoryAccess['findPullRequest'] {
  const { source, forge, baseUrl, repository } = asked
  const repositories = forge?.repositories
  if (!repositories || baseUrl === undefined) return undefined
  const wish = wishOf(source, { baseUrl, repository, uses: ['pull_requests'] })
  return (number, prefix, signal) =>
    means.gitApps.call(wish, signal, (token) =>
      repositories.findPullRequest({ baseUrl, token, signal }, repository, number, prefix),
    )
}

/** In the transaction that decides the event. A record that is gone by then is not missed: its runs are what counts. */
export async function completeDelivery(
  means: Means,
  tx: Tx,
  completion: DeliveryCompletion,
): Promise<EventTrace | undefined> {
  const { plan } = completion
  const source = plan.sourceId === null ? undefined : await findSource(tx, plan.sourceId)
  const started = [{ reportsStatus: source?.reportStatus ?? false, plan }]
  for (const statement of means.above.reporting(started)) await execute(tx, statement)
  const before = await lockOutcome(tx, completion.deliveryRecordId)
  if (!before) return undefined
  const trace = Value.Check(DeliveryTrace, before.trace) ? before.trace : { verification: '', events: [] }
  const outcome = completeOutcome({ trace, runIds: before.runIds }, completion)
  await updateOutcome(tx, completion.deliveryRecordId, outcome)
  return outcome.trace.events.find((event) => event.event_id === completion.eventId)
}

const MAX_LOOKED_AT = 500
/** Of a repository, to learn how each of its sources names it. */
const DELIVERIES = 50
/** Somebody waits while the repository is read through each. */
const MOST_CONNECTIONS = 10

/**
 * The enabled sources that the caller may see and that admit the repository. Sources that told of it last come first,
 * then those that read it, newest first. Each names the repository as its last delivery did.
 */
export async function connectionsOf(
  means: Means,
  caller: Caller,
  event: Event,
): Promise<readonly RepositoryConnection[]> {
  const { full_name: fullName } = event.repository
  const admitting = await listAdmitting(means, caller, fullName)
  if (admitting.length === 0) return []
  const wanted = fullName.toLowerCase()
  const repositories = (name: string) => name.toLowerCase() === wanted
  const deliveries = await readDeliveries(means, caller, { repositories, limit: DELIVERIES })
  // Newest first: a later entry overwrites an earlier one.
  const told = new Map(deliveries.toReversed().map(({ sourceId, event: { repository } }) => [sourceId, repository]))
  const turns = [...new Set(deliveries.map(({ sourceId }) => sourceId))]
  const turnOf = ({ id, readRepository }: Source): number => {
    const turn = turns.indexOf(id)
    return turn === -1 ? turns.length + (readRepository ? 0 : 1) : turn
  }
  const chosen = admitting.toSorted((one, other) => turnOf(one) - turnOf(other)).slice(0, MOST_CONNECTIONS)
  return await Promise.all(
    chosen.map(async (source) => {
      const repository = told.get(source.id) ?? event.repository
      const named = { ...event, repository }
      const access = await repositoryOf(means, source.id, named)
      return {
        sourceId: source.id,
        context: await contextFor(means, source, named),
        access: 'refused' in access ? undefined : access,
      }
    }),
  )
}

/** The newest first. */
async function listAdmitting(means: Means, caller: Caller, repository: string): Promise<readonly Source[]> {
  const visible = await listSources(means.database.kysely, {
    prefixes: caller.prefixes('webhook_source.read'),
    teamPath: undefined,
    before: undefined,
    limit: MAX_LOOKED_AT,
  })
  return visible.filter(
    ({ enabled, repositoryAllowlist }) =>
      enabled && compilePatterns(repositoryAllowlist, { caseInsensitive: true }).matches(repository),
  )
}

import type { EventTrace } from '@signalbox/contracts/events'
import { openDays, type Queryable } from '#platform/database'
import { prefixesOf } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { AboveGitApps } from '#rooms/catalog/git-apps'
import type { AboveEvents } from '#rooms/causes/events'
import type { AboveOverrides } from '#rooms/causes/overrides'
import type { AboveTriggers } from '#rooms/causes/triggers'
import type { AboveSecrets } from '#rooms/foundation/secrets'
import { createPermissionMemory } from './actions/ask-permissions.ts'
import { mayConnect, vouchFrom } from './actions/check-connection.ts'
import { createHealthCounter, type HealthCounts } from './actions/count-health.ts'
import { createAppSource } from './actions/create-app-source.ts'
import { findByClue } from './actions/find-by-clue.ts'
import { type CommandedSource, findCommanded } from './actions/find-commanded.ts'
import { findTold, findToldOf, mayReport, type ToldSource } from './actions/find-told.ts'
import { foreseeReplay } from './actions/foresee-replay.ts'
import { queueKeeping } from './actions/keep-connections.ts'
import { type MadeDelivery, makeEvent, type WantedEvent } from './actions/make-event.ts'
import { type KeptDelivery, readKept } from './actions/read-kept.ts'
import { readDeliveries } from './actions/serve-deliveries.ts'
import { completeDelivery, connectionsOf, repositoryOf } from './actions/serve-events.ts'
import { sourceProblem } from './errors.ts'
import { openIngress } from './ingress/ingress.ts'
import { sourceJobs } from './jobs.ts'
import { sourceTopics } from './live.ts'
import type { Asked, Means } from './means.ts'
import { deliveryPlanners } from './planners.ts'
import { sourceRoutes } from './routes/index.ts'
import {
  cameWhileDisabled,
  findAnswers,
  type GivenAnswer,
  type IgnoredPush,
  listHooks,
  listIgnoredPushes,
  type MadeHook,
} from './store/answers.ts'
import { findDelivery } from './store/deliveries.ts'
import { keptDays } from './store/retention.ts'
import { searchSources } from './store/search-sources.ts'
import { listUsersOf } from './store/sources.ts'
import { sourceTools } from './tools/index.ts'

export type { CommandedSource } from './actions/find-commanded.ts'
export type { ToldSource } from './actions/find-told.ts'
export type { MadeDelivery, WantedEvent } from './actions/make-event.ts'
export type { KeptDelivery } from './actions/read-kept.ts'
export type { CommentPosted, SourceDeleted } from './facts.ts'
export type { AboveHealth, AboveSources, CameDelivery, StartedOfSource } from './ingress/above-sources.ts'
export type { GivenAnswer, MadeHook } from './store/answers.ts'

/** The answers to what lower rooms ask; the house hands them down. */
export interface Sources
  extends AboveSecrets,
    AboveGitApps,
    Pick<AboveOverrides, 'listSources'>,
    AboveTriggers,
    AboveEvents {
  /** How the sources at and below these team paths do; at most ten seconds old, the newest 200 of them. */
  countHealth(prefixes: readonly string[]): Promise<HealthCounts>
  /** Where the provider of a source is told of runs; undefined: there is no such source. */
  findTold(db: Queryable, sourceId: string): Promise<ToldSource | undefined>
  /** Of the source of a delivery; undefined where its record, or its source, is gone. */
  findToldOf(db: Queryable, deliveryRecordId: string): Promise<ToldSource | undefined>
  /** A source as commands in comments find it; undefined: it is gone. */
  findCommanded(db: Queryable, sourceId: string): Promise<CommandedSource | undefined>
  /** What a delivery of the source started, and why nothing; none where its record is gone. */
  findTrace(db: Queryable, sourceId: string, deliveryRecordId: string): Promise<readonly EventTrace[]>
  /** A verified delivery as it came; undefined where it is not kept any more. */
  readKept(deliveryRecordId: string): Promise<KeptDelivery | undefined>
  /** What deliveries of these ids of the provider were answered that came from `since` on, each answer once. */
  findAnswers(
    db: Queryable,
    sourceId: string,
    deliveryIds: readonly string[],
    since: Date,
  ): Promise<readonly GivenAnswer[]>
  /** The webhooks that the service made, of one source or of all, where the source is enabled and has a credential. */
  listHooks(db: Queryable, sourceId?: string): Promise<readonly MadeHook[]>
  /** Deliveries that were ignored without an event, and the commits that they named. */
  listIgnoredPushes(db: Queryable, sourceId: string, repository: string, since: Date): Promise<readonly IgnoredPush[]>
  cameWhileDisabled(db: Queryable, sourceId: string, since: Date): Promise<boolean>
  /** Makes an event as if its delivery came now; undefined: nothing was made. */
  makeEvent(wanted: WantedEvent): Promise<MadeDelivery | undefined>
  /** Whether some source reports statuses; false only where that is known. */
  mayReport(): boolean
}

export const sources = defineRoom<Sources, Asked>({
  name: 'causes/sources',
  async open(kit, asked) {
    const { deliveries, payloads } = keptDays(kit)
    await openDays(kit.log, [deliveries, payloads])
    const ingress = openIngress({ ...kit, ...asked })
    const permissions = createPermissionMemory(kit.clock)
    const means: Means = { ...kit, ...asked, ingress, permissions }
    return {
      door: {
        secretsChanged() {
          ingress.book.invalidate()
          // A change that is not noted here is noticed by the next round of the job.
          queueKeeping(means, kit.database.kysely).catch((error: unknown) => {
            kit.log.debug({ err: error }, 'webhooks learn of a new secret later')
          })
        },
        findUsers: async (tx, credentialRef) =>
          (await listUsersOf(tx, credentialRef)).map((name) => `the webhook source ${name}`),
        createAppSource: (tx, origin, source) => createAppSource(means, tx, origin, source),
        listSources: () => vouchFrom(means),
        countHealth: createHealthCounter(means),
        mayConnect,
        findTold: (db, sourceId) => findTold(means, db, sourceId),
        findToldOf: (db, deliveryRecordId) => findToldOf(means, db, deliveryRecordId),
        findCommanded: (db, sourceId) => findCommanded(means, db, sourceId),
        findTrace: async (db, sourceId, id) => (await findDelivery(db, sourceId, id))?.trace.events ?? [],
        findAnswers,
        listHooks: (db, sourceId) => listHooks(db, sourceId),
        listIgnoredPushes,
        cameWhileDisabled,
        makeEvent: (wanted) => makeEvent(means, wanted),
        mayReport: () => mayReport(means),
        readKept: (deliveryRecordId) => readKept(means, deliveryRecordId),
        readDeliveries: (caller, filter) => readDeliveries(means, caller, filter),
        repositoryOf: (sourceId, event) => repositoryOf(means, sourceId, event),
        completeDelivery: (tx, completion) => completeDelivery(means, tx, completion),
        connectionsOf: (caller, event) => connectionsOf(means, caller, event),
      },
      problems: [sourceProblem],
      routes: sourceRoutes(means),
      tools: sourceTools,
      planners: deliveryPlanners((...call) => foreseeReplay(means, ...call)),
      searches: [
        {
          kind: 'source',
          find: (caller, wish) =>
            searchSources(kit.database.kysely, prefixesOf(caller, 'webhook_source.read', wish.within), wish),
        },
      ],
      finders: [{ find: (caller, clue, limit) => findByClue(means, caller, clue, limit) }],
      jobs: sourceJobs(means),
      live: sourceTopics(means),
      async close() {
        await ingress.committer.settle()
        ingress.book.close()
        ingress.names.close()
      },
    }
  },
})

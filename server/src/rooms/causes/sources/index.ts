import { openDays } from '#platform/database'
import { prefixesOf } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { AboveEvents } from '#rooms/causes/events'
import type { AboveOverrides } from '#rooms/causes/overrides'
import type { AboveTriggers } from '#rooms/causes/triggers'
import type { AboveSecrets } from '#rooms/foundation/secrets'
import { createPermissionMemory } from './actions/ask-permissions.ts'
import { mayConnect, vouchFrom } from './actions/check-connection.ts'
import { createHealthCounter, type HealthCounts } from './actions/count-health.ts'
import { queueKeeping } from './actions/keep-connections.ts'
import { createPauses } from './actions/pause-calls.ts'
import { reportStarts } from './actions/queue-reports.ts'
import { readDeliveries } from './actions/serve-deliveries.ts'
import { completeDelivery, connectionsOf, repositoryOf } from './actions/serve-events.ts'
import { sourceProblem } from './errors.ts'
import { openIngress } from './ingress/ingress.ts'
import { sourceJobs } from './jobs.ts'
import { sourceTopics } from './live.ts'
import type { Asked, Means } from './means.ts'
import { sourceReactions } from './reactions.ts'
import { sourceRoutes } from './routes/index.ts'
import { keptDays } from './store/retention.ts'
import { searchSources } from './store/search-sources.ts'
import { listUsersOf } from './store/sources.ts'

export type { SourceDeleted } from './facts.ts'

/** The answers to what lower rooms ask; the house hands them down. */
export interface Sources extends AboveSecrets, AboveOverrides, AboveTriggers, AboveEvents {
  /** How the sources at and below these team paths do; at most ten seconds old, the newest 200 of them. */
  countHealth(prefixes: readonly string[]): Promise<HealthCounts>
}

export const sources = defineRoom<Sources, Asked>({
  name: 'causes/sources',
  async open(kit, asked) {
    const { deliveries, payloads } = keptDays(kit)
    await openDays(kit.log, [deliveries, payloads])
    const ingress = openIngress({ ...kit, ...asked })
    const permissions = createPermissionMemory(kit.clock)
    const means: Means = { ...kit, ...asked, ingress, permissions, pauses: createPauses(kit.clock) }
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
        listSources: () => vouchFrom(means),
        countHealth: createHealthCounter(means),
        mayConnect,
        readDeliveries: (caller, filter) => readDeliveries(means, caller, filter),
        repositoryOf: (sourceId, event) => repositoryOf(means, sourceId, event),
        async completeDelivery(tx, completion) {
          const trace = await completeDelivery(tx, completion)
          await reportStarts(means, tx, completion)
          return trace
        },
        connectionsOf: (caller, event) => connectionsOf(means, caller, event),
      },
      problems: [sourceProblem],
      routes: sourceRoutes(means),
      searches: [
        {
          kind: 'source',
          find: (caller, wish) =>
            searchSources(kit.database.kysely, prefixesOf(caller, 'webhook_source.read', wish.within), wish),
        },
      ],
      jobs: sourceJobs(means),
      reactions: sourceReactions(means),
      live: sourceTopics(means),
      async close() {
        await ingress.committer.settle()
        ingress.book.close()
        ingress.names.close()
      },
    }
  },
})

import type { Queryable } from '#platform/database'
import { createIdempotency, prefixesOf } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { StartingRule } from '#rooms/catalog/pipelines'
import { createSenderLimits } from './actions/sender-limits.ts'
import { externalTriggerProblem } from './errors.ts'
import type { Asked, Means } from './means.ts'
import { externalTriggerRoutes } from './routes.ts'
import { listStarting, searchExternalTriggers } from './store.ts'

export interface ExternalTriggers {
  /** The external triggers of all teams that start these pipelines; those that are disabled as well. */
  listStarting(db: Queryable, pipelines: readonly string[], most: number): Promise<readonly StartingRule[]>
}

export const externalTriggers = defineRoom<ExternalTriggers, Asked>({
  name: 'causes/external-triggers',
  open(kit, asked) {
    const means: Means = {
      ...kit,
      ...asked,
      idempotency: createIdempotency(kit),
      limits: createSenderLimits(kit.clock),
    }
    return {
      door: {
        listStarting: async (db, pipelines, most) =>
          (await listStarting(db, pipelines, most)).map((rule) => ({
            ...rule,
            permission: 'external_trigger.read' as const,
          })),
      },
      problems: [externalTriggerProblem],
      routes: externalTriggerRoutes(means),
      searches: [
        {
          kind: 'external_trigger',
          find: (caller, wish) =>
            searchExternalTriggers(kit.database.kysely, prefixesOf(caller, 'external_trigger.read', wish.within), wish),
        },
      ],
    }
  },
})

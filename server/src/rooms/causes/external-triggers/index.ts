import { createIdempotency, prefixesOf } from '#platform/http'
import { defineRoom } from '#platform/room'
import { createSenderLimits } from './actions/sender-limits.ts'
import { externalTriggerProblem } from './errors.ts'
import type { Asked, Means } from './means.ts'
import { externalTriggerRoutes } from './routes.ts'
import { searchExternalTriggers } from './store.ts'

/** Nobody asks this room anything: it starts runs, and answers its routes. */
export const externalTriggers = defineRoom<undefined, Asked>({
  name: 'causes/external-triggers',
  open(kit, asked) {
    const means: Means = {
      ...kit,
      ...asked,
      idempotency: createIdempotency(kit),
      limits: createSenderLimits(kit.clock),
    }
    return {
      door: undefined,
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

import type { Statement } from '#platform/database'
import { defineRoom } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Triggers } from '#rooms/causes/triggers'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Teams } from '#rooms/foundation/teams'
import { admission } from './actions/admit-events.ts'
import { type EventPlan, type PlanRequest, planEvent } from './actions/plan-event.ts'
import { createEventMetrics, type EventMetrics } from './metrics.ts'
import { eventRoutes } from './routes.ts'

export type { EventPlan, PlanRequest } from './actions/plan-event.ts'

export interface Events {
  /**
   * What an event starts: every trigger of its repository with its trace, and the runs of those that matched and may
   * start. No query on the usual way; throws 503 problems where grants or triggers cannot be known.
   */
  plan(request: PlanRequest): Promise<EventPlan>
  /** What records the trigger events and queues their runs, for the caller's transaction. */
  admission(plans: readonly EventPlan[]): readonly Statement[]
}

export interface EventNeeds {
  readonly triggers: Pick<Triggers, 'matcher'>
  readonly teams: Pick<Teams, 'resolveScope'>
  readonly pipelines: Pick<Pipelines, 'lookup'>
  readonly access: Pick<Access, 'snapshot'>
  readonly runs: Pick<Runs, 'queueing'>
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
}

/** What the room's actions work with. */
export type EventMeans = EventNeeds & { readonly metrics: EventMetrics }

export const events = defineRoom<Events, EventNeeds>({
  name: 'causes/events',
  open(kit, needs) {
    const planning = { ...needs, metrics: createEventMetrics(kit.metrics) }
    return {
      door: {
        plan: (request) => planEvent(kit, planning, request),
        admission: (plans) => admission(needs, plans),
      },
      routes: eventRoutes(kit, planning),
    }
  },
})

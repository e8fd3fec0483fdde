import type { Event, Person } from '@signalbox/contracts/event'
import type { EventTrace } from '@signalbox/contracts/events'
import type { Owner } from '@signalbox/contracts/http'
import type { ForgeAnswer, ForgePermission, ForgePullRequest } from '#adapters/forges'
import type { GitReader, RepositoryAddress } from '#adapters/git'
import { openDays, type Queryable, type Statement, type Tx } from '#platform/database'
import type { Caller } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Overrides } from '#rooms/causes/overrides'
import type { MatchContext, StoredDelivery, Triggers } from '#rooms/causes/triggers'
import type { CheckoutFinder, HeadReader, Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import { admission } from './actions/admit-events.ts'
import { findCheckout } from './actions/find-checkout.ts'
import { markRepeated, repeatThemselves } from './actions/mark-repeated.ts'
import { type EventPlan, type PlanRequest, planEvent, whatWaits } from './actions/plan-event.ts'
import { foreseeEvent } from './actions/resolve-event.ts'
import { eventJobs } from './jobs.ts'
import { createEventMetrics, type EventMetrics } from './metrics.ts'
import { eventRoutes } from './routes.ts'
import { findSourceOf, keptDays } from './store/events.ts'
import { findHead } from './store/heads.ts'
import { type EventFilter, type EventRow, findEvent, listEvents, type StoredEvent } from './store/records.ts'
import { isRepeated } from './store/starts.ts'

export type { EventPlan, PlanRequest } from './actions/plan-event.ts'
export type { EventFilter, EventRow, StoredEvent } from './store/records.ts'

import { eventProblem } from './errors.ts'

/** How a source lets the repository of an event be read. */
export interface RepositoryAccess {
  readonly address: Omit<RepositoryAddress, 'signal'>
  readonly context: MatchContext
  /** Entries of a manifest start pipelines and use scopes at or below it, on behalf of the source's owner. */
  readonly teamPath: string
  readonly owner: Owner
  readonly checkoutCredentialRef: string | null
  /** Whether its manifest and changed files are read; else no more than which commit is meant. */
  readonly readsFiles: boolean
  /** Undefined: the provider has no API for it. `prefix`: how the wanted head begins. */
  readonly findPullRequest:
    | ((number: number, prefix: string | undefined, signal: AbortSignal) => Promise<ForgeAnswer<ForgePullRequest>>)
    | undefined
  /** What a person may do in the repository; a sentence where nobody can be asked. */
  readonly findPermission: PermissionQuestion | { readonly unasked: string }
}

export type PermissionQuestion = (person: Person, signal: AbortSignal) => Promise<ForgeAnswer<ForgePermission>>

/** The repository may not be read. Its triggers are decided all the same, unless the source is gone. */
export interface RepositoryRefusal {
  readonly refused: string
  readonly context: MatchContext | undefined
}

/** What was decided of a delivery after it was answered. */
export interface DeliveryCompletion {
  readonly deliveryRecordId: string
  readonly eventId: string
  /** The event's trace with what was decided. */
  readonly merge: (before: EventTrace) => EventTrace
  readonly runIds: readonly string[]
}

/**
 * Kept deliveries that the caller may read, newest first, at most `limit`: of one source, or of all, and of repositories
 * that the question takes in.
 */
export type DeliveryReader = (
  caller: Caller,
  filter: {
    readonly sourceId?: string | undefined
    readonly repositories?: ((fullName: string) => boolean) | undefined
    readonly limit: number
  },
) => Promise<readonly StoredDelivery[]>

/** What rooms above this one answer. */
export interface AboveEvents {
  readonly readDeliveries: DeliveryReader
  /** A sentence where the repository may not be read, or not any more. */
  repositoryOf(sourceId: string, event: Event): Promise<RepositoryAccess | RepositoryRefusal>
  /** In the transaction that decides the event. Answers the event's trace as it is now, unless its record is gone. */
  completeDelivery(tx: Tx, completion: DeliveryCompletion): Promise<EventTrace | undefined>
  /** The sources through which events of a repository come, as far as a caller may see them; a few where there are many. */
  connectionsOf(caller: Caller, event: Event): Promise<readonly RepositoryConnection[]>
}

export interface RepositoryConnection {
  readonly sourceId: string
  readonly context: MatchContext
  /** Undefined where the source cannot reach the repository. */
  readonly access: RepositoryAccess | undefined
}

export interface Events {
  /**
   * What an event starts: every rule of its repository with its trace, and the runs of those that matched and may start.
   * No query on the usual way; throws 503 problems where grants or triggers cannot be known.
   */
  plan(request: PlanRequest): Promise<EventPlan>
  /** Whether the changed files of such an event are read, where its source reads repositories. */
  readsPaths(event: Event): boolean
  /** The plan with what its job would decide, read from the repository now. Nothing is stored. */
  foresee(plan: EventPlan): Promise<EventPlan>
  /**
   * What records the events and queues their runs, for the caller's transaction. It fails with `isRepeated` where another
   * delivery of the same event started one of the runs; `markRepeated` leaves those out.
   */
  admission(plans: readonly EventPlan[]): readonly Statement[]
  isRepeated(error: unknown): boolean
  /** Whether plans of one transaction would start the same: call `markRepeated` first. */
  repeatThemselves(plans: readonly EventPlan[]): boolean
  /** In the order given. */
  markRepeated(db: Queryable, plans: readonly EventPlan[]): Promise<readonly EventPlan[]>
  /** What became of events, newest first. */
  list(db: Queryable, filter: EventFilter): Promise<EventRow[]>
  find(db: Queryable, eventId: string): Promise<StoredEvent | undefined>
  /** The newest commit of a pull request that its provider or a delivery told of. */
  readonly readHead: HeadReader
  /** The commit that a branch or tag points at now, through a source that the caller may see. */
  readonly findCheckout: CheckoutFinder
}

export interface EventNeeds {
  readonly above: AboveEvents
  readonly audit: Audit
  readonly overrides: Pick<Overrides, 'finder' | 'whyNotVouched' | 'whyNotVouchedByAny' | 'draft'>
  readonly triggers: Pick<Triggers, 'matcher' | 'readManifest' | 'matchManifest'>
  readonly teams: Pick<Teams, 'resolveScope'>
  readonly pipelines: Pick<Pipelines, 'lookup'>
  readonly access: Pick<Access, 'snapshot'>
  readonly runs: Pick<Runs, 'queueing' | 'canceling' | 'findFaults' | 'findStanding'>
  readonly git: GitReader
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
}

/** What the room's actions work with. */
export type EventMeans = EventNeeds & { readonly metrics: EventMetrics }

export const events = defineRoom<Events, EventNeeds>({
  name: 'causes/events',
  async open(kit, needs) {
    await openDays(kit.log, [keptDays(kit)])
    const planning = { ...needs, metrics: createEventMetrics(kit.metrics) }
    return {
      door: {
        plan: (request) => planEvent(kit, planning, request),
        readsPaths: (event) => whatWaits(event) !== 'nothing',
        foresee: (plan) => foreseeEvent(kit, planning, plan),
        admission: (plans) => admission(kit, needs.runs, plans),
        isRepeated,
        repeatThemselves,
        markRepeated,
        list: listEvents,
        find: findEvent,
        async readHead(db, { eventId, repository, pullRequest }) {
          const sourceId = eventId === null ? undefined : await findSourceOf(db, eventId)
          return sourceId && ((await findHead(db, sourceId, repository, pullRequest))?.headSha ?? undefined)
        },
        findCheckout: (caller, wish) => findCheckout(needs, caller, wish),
      },
      problems: [eventProblem],
      routes: eventRoutes(kit, planning),
      jobs: eventJobs(kit, planning),
    }
  },
})

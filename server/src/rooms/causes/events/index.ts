import type { Event } from '@signalbox/contracts/event'
import { openDays, type Queryable, type Statement, type Tx } from '#platform/database'
import { type Doors, defineRoom } from '#platform/room'
import type { CheckoutFinder, HeadReader } from '#rooms/execution/runs'
import { admission } from './actions/admit-events.ts'
import { changeKeyAt } from './actions/change-key.ts'
import type { EventPlan, PlanRequest } from './actions/event-plan.ts'
import { findCheckout } from './actions/find-checkout.ts'
import { listUncovered, type TimedChange, type UncoveredAsked } from './actions/list-uncovered.ts'
import { markRepeated, repeatThemselves } from './actions/mark-repeated.ts'
import { planEvent, whatWaits } from './actions/plan-event.ts'
import { foreseeEvent } from './actions/resolve-event.ts'
import { eventProblem } from './errors.ts'
import { eventJobs } from './jobs.ts'
import type { Means } from './means.ts'
import { createEvaluated } from './metrics.ts'
import { eventRoutes } from './routes.ts'
import type { ChangePlace } from './rules/index.ts'
import { findSourceOf, keptDays } from './store/events.ts'
import { findHead } from './store/heads.ts'
import { type EventFilter, type EventRow, findEvent, listEvents, type StoredEvent } from './store/records.ts'
import { isRepeated, LATE_MS } from './store/starts.ts'
import {
  dropSuspected,
  endMade,
  forgetChanges,
  holdSuspected,
  listMade,
  listSuspected,
  type MadeEvent,
  markMade,
  type StoredSuspicion,
  type SuspectedChange,
  suspect,
} from './store/suspected.ts'
import { cameSince, type Heard, listHeard, listToldHeads, type ToldHead } from './store/told-changes.ts'
import { eventTools } from './tools.ts'

export type { CommentedRule, EventPlan, PlanRequest } from './actions/event-plan.ts'
export type {
  AboveEvents,
  DeliveryCompletion,
  DeliveryReader,
  PermissionQuestion,
  RepositoryAccess,
  RepositoryConnection,
  RepositoryRefusal,
} from './means.ts'
export type { EventFilter, EventRow, StoredEvent } from './store/records.ts'
export type { StoredSuspicion, SuspectedChange } from './store/suspected.ts'
export type { ToldChange, ToldHead } from './store/told-changes.ts'

export interface Events {
  /**
   * The runs that an event starts, and every rule of its repository with its trace. No query on the usual way; throws
   * 503 problems where grants or triggers cannot be known.
   */
  plan(request: PlanRequest): Promise<EventPlan>
  /** Whether the changed files of such an event are read, where its source reads repositories. */
  readsPaths(event: Event): boolean
  /** The plan with what its job would decide, read from the repository now. The call stores nothing. */
  foresee(plan: EventPlan): Promise<EventPlan>
  /**
   * The statements that record the events and queue their runs, for the caller's transaction. The transaction fails
   * with `isRepeated` where another delivery of the same event started one of the runs; `markRepeated` leaves those
   * out.
   */
  admission(plans: readonly EventPlan[]): readonly Statement[]
  isRepeated(error: unknown): boolean
  /** Whether plans of one transaction would start the same: call `markRepeated` first. */
  repeatThemselves(plans: readonly EventPlan[]): boolean
  /** In the order given. */
  markRepeated(db: Queryable, plans: readonly EventPlan[]): Promise<readonly EventPlan[]>
  /** The events with their results, newest first. */
  list(db: Queryable, filter: EventFilter): Promise<EventRow[]>
  find(db: Queryable, eventId: string): Promise<StoredEvent | undefined>
  /** A pull request as a delivery of the source told of it last. */
  findHead(
    db: Queryable,
    sourceId: string,
    repository: string,
    number: number,
  ): Promise<{ readonly headSha: string | null } | undefined>
  /** Changes that no delivery told of: rooms above find them, and make the events. */
  readonly changes: Changes
  /** The newest commit of a pull request that its provider or a delivery told of. */
  readonly readHead: HeadReader
  /** The commit that a branch or tag points at now, through a source that the caller may see. */
  readonly findCheckout: CheckoutFinder
}

/** What was told of branches and pull requests, and what was not. */
export interface Changes {
  keyOf(sourceId: string, repository: string, place: ChangePlace): string
  /** For so long, in milliseconds, what was made covers what comes late. */
  readonly lateMs: number
  /** The pushes that a source told of since, oldest first, and which of them came late; undefined: too many. */
  listTold(db: Queryable, asked: UncoveredAsked): Promise<readonly TimedChange[] | undefined>
  /** Whether a delivery told something new of the ref since then. */
  cameSince(
    db: Queryable,
    asked: { readonly sourceId: string; readonly repository: string; readonly ref: string; readonly since: Date },
  ): Promise<boolean>
  listToldHeads(
    db: Queryable,
    sourceId: string,
    repository: string,
    numbers: readonly number[],
  ): Promise<readonly ToldHead[]>
  /** The repositories of the events behind one, at most `limit` events. */
  listHeard(db: Queryable, afterEventId: string, limit: number): Promise<Heard>
  /** Notes them, so that deliveries wait for whoever makes an event of one. */
  suspect(db: Queryable, changes: readonly SuspectedChange[], now: Date): Promise<void>
  listSuspected(db: Queryable, sourceId: string, repository: string): Promise<readonly StoredSuspicion[]>
  dropSuspected(db: Queryable, ids: readonly string[]): Promise<void>
  /** Holds it until the transaction ends; undefined: somebody made it, or dropped it. */
  holdSuspected(tx: Tx, id: string): Promise<StoredSuspicion | undefined>
  /** What comes late of it starts nothing from now on; before `admission`. */
  markMade(tx: Tx, id: string, made: MadeEvent): Promise<void>
  /** Where the events made since left what is still there, as far as looks saw. */
  listMade(
    db: Queryable,
    asked: UncoveredAsked,
  ): Promise<readonly { readonly ref: string | null; readonly pullRequest: number | null; readonly head: string }[]>
  /** What was made of these, by their keys, is compared with nothing that comes from then on. */
  endMade(db: Queryable, keys: readonly string[], at: Date): Promise<void>
  forget(db: Queryable, sourceId: string, repository?: string): Promise<void>
}

export const events = defineRoom<Events, Omit<Doors<Means>, 'evaluated'>>({
  name: 'causes/events',
  async open(kit, doors) {
    await openDays(kit.log, [keptDays(kit)])
    const means: Means = { ...kit, ...doors, evaluated: createEvaluated(kit.metrics) }
    return {
      door: {
        plan: (request) => planEvent(means, request),
        readsPaths: (event) => whatWaits(event) !== 'nothing',
        foresee: (plan) => foreseeEvent(means, plan),
        admission: (plans) => admission(means, plans),
        isRepeated,
        repeatThemselves,
        markRepeated,
        list: listEvents,
        find: findEvent,
        findHead,
        changes: {
          keyOf: changeKeyAt,
          lateMs: LATE_MS,
          listTold: listUncovered,
          cameSince,
          listToldHeads,
          listHeard,
          suspect,
          listSuspected,
          dropSuspected,
          holdSuspected,
          markMade,
          listMade,
          endMade,
          forget: forgetChanges,
        },
        async readHead(db, { eventId, repository, pullRequest }) {
          const sourceId = eventId === null ? undefined : await findSourceOf(db, eventId)
          return sourceId && ((await findHead(db, sourceId, repository, pullRequest))?.headSha ?? undefined)
        },
        findCheckout: (caller, wish) => findCheckout(means, caller, wish),
      },
      problems: [eventProblem],
      routes: eventRoutes(means),
      tools: eventTools,
      jobs: eventJobs(means),
    }
  },
})

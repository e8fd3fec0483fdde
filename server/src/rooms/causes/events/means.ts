import type { Event, Person } from '@signalbox/contracts/event'
import type { EventTrace } from '@signalbox/contracts/events'
import type { Owner } from '@signalbox/contracts/http'
import type { ForgeAnswer, ForgePermission, ForgePullRequest } from '#adapters/forges'
import type { GitReader, RepositoryAddress } from '#adapters/git'
import type { Tx } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Overrides } from '#rooms/causes/overrides'
import type { MatchContext, StoredDelivery, Triggers } from '#rooms/causes/triggers'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { EventPlan } from './actions/event-plan.ts'
import type { Evaluated } from './metrics.ts'

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
  /** Asks for a person's permission in the repository; a sentence where nobody can be asked. */
  readonly findPermission: PermissionQuestion | { readonly unasked: string }
}

export type PermissionQuestion = (person: Person, signal: AbortSignal) => Promise<ForgeAnswer<ForgePermission>>

/** The repository may not be read. The repository's triggers are decided all the same, unless the source is gone. */
export interface RepositoryRefusal {
  readonly refused: string
  readonly context: MatchContext | undefined
}

/** The decision about a delivery after its answer. */
export interface DeliveryCompletion {
  readonly deliveryRecordId: string
  readonly eventId: string
  /** The event's trace with the later decision. */
  readonly merge: (before: EventTrace) => EventTrace
  readonly runIds: readonly string[]
  /** As it is committed. */
  readonly plan: EventPlan
}

/**
 * Kept deliveries that the caller may read, newest first, at most `limit`. The question names one source or all, and
 * the repositories.
 */
export type DeliveryReader = (
  caller: Caller,
  filter: {
    readonly sourceId?: string | undefined
    readonly repositories?: ((fullName: string) => boolean) | undefined
    readonly limit: number
  },
) => Promise<readonly StoredDelivery[]>

/** The questions that rooms above this one answer. */
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

/**
 * The means of this room's actions: the kit, the doors that the room asks, the answers of rooms above, and its metric.
 */
export interface Means extends Kit {
  readonly above: AboveEvents
  readonly audit: Audit
  readonly overrides: Overrides
  readonly triggers: Triggers
  readonly teams: Teams
  readonly pipelines: Pipelines
  readonly access: Access
  readonly runs: Runs
  readonly git: GitReader
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
  readonly evaluated: Evaluated
}

import type { Event } from '@signalbox/contracts/event'
import type { EventTrace } from '@signalbox/contracts/events'
import type { Caller } from '#platform/http'
import type { MatchContext, Matcher } from '#rooms/causes/triggers'
import type { NewRun } from '#rooms/execution/runs'

/** The facts of an event that the run keeps. */
export interface RunRequest {
  readonly event: Event
  /** Null: posted to /v1/git/events. */
  readonly deliveryRecordId: string | null
  /** The delivery that a person has run again: nothing is a repetition then. */
  readonly replayOf: string | null
  readonly checkoutCredentialRef: string | null
}

export interface PlanRequest extends RunRequest {
  readonly matcher: Matcher
  readonly context: MatchContext
  /**
   * The caller who posted an event that no secret vouches for. This caller must also be allowed to start the matching
   * pipelines.
   */
  readonly poster: Caller | null
  /** Whether what needs the repository (its manifest, the whole list of changed files) is put off to a job. */
  readonly readsRepository: boolean
  /**
   * The reason why the commit of a pull request cannot be asked for, where its event does not say; null: a job asks.
   */
  readonly headUnasked: string | null
  /** Why a run has no commit to check out: it may not start. */
  readonly commitFault?: string | undefined
  /** Why the source, which reads repositories, cannot read this one: the trace says so. */
  readonly unreadable?: string | undefined
  readonly receivedAt: Date
}

export interface EventPlan {
  readonly eventId: string
  readonly event: Event
  readonly sourceId: string | null
  readonly deliveryRecordId: string | null
  readonly replayOf: string | null
  /** Whether a secret vouches for the event: else it takes the place of no other that tells of the same. */
  readonly vouched: boolean
  readonly receivedAt: Date
  readonly starts: readonly PlannedStart[]
  readonly cancels: readonly PlannedCancel[]
  /** Triggers that matched but whose run may not start. */
  readonly refused: number
  /** The triggers left to the job that reads the repository; null: all is decided. */
  readonly pending: { readonly triggers: readonly string[] } | null
  /** The first delivery of the same event, where nothing is left to start because it did. */
  readonly repeats: string | null
  readonly trace: EventTrace
  /** This service made the event itself. */
  readonly isMade?: boolean
  /** The rules that want a comment at the pull request, and what became of each; left out: there is none. */
  readonly commented?: readonly CommentedRule[]
}

/** A rule that wants a comment, for an event of a pull request. */
export interface CommentedRule {
  readonly name: string
  readonly pipeline: string
  /** Null: it started none; `reason` says why. */
  readonly runId: string | null
  readonly reason: string | null
}

/** The id is known before the run is queued: the delivery's record names it. */
export type PlannedRun = NewRun & { readonly id: string }

/** A run and the rule that started it. One change starts one run for one rule, through whichever source it is told. */
export interface PlannedStart {
  readonly starter: string
  /** Where an earlier change looks the same: which one this is. */
  readonly generation?: number
  /** The made events of this ref, by the ids of their changes, that tell of another change than this one. */
  readonly judged?: readonly string[]
  readonly run: PlannedRun
}

/** A comment asked that the unfinished runs of a trigger for a pull request end. */
export interface PlannedCancel {
  readonly triggerId: string | null
  readonly manifestTrigger: string | null
  /** The team of a manifest's entry: the entry reaches runs of this team and those below. */
  readonly teamPath: string | null
  readonly repository: string
  readonly pullRequest: number
  readonly by: string
}

import type { Event } from '@signalbox/contracts/event'
import type { EventTrace, TriggerTrace } from '@signalbox/contracts/events'
import type { TriggerSimulationResult } from '@signalbox/contracts/triggers'
import { toWireTime } from '#platform/time'
import { triggerProblem } from '../errors.ts'
import {
  CANCEL,
  type CompiledTrigger,
  compileTrigger,
  createLimits,
  evaluationWith,
  type Limits,
  type MatchContext,
  type Trigger,
} from '../rules/index.ts'
import { matchOne, type TriggerMatch } from './match-event.ts'

/** An event of a delivery that was kept. */
export interface StoredDelivery {
  readonly deliveryRecordId: string
  readonly sourceId: string
  readonly receivedAt: Date
  /** The provider's word for the event. */
  readonly eventType: string
  readonly event: Event
  readonly context: MatchContext
  /** Whether its changed files are read from the repository before a trigger that they decide starts. */
  readonly readsPaths: boolean
  /** The stored decision about the event, as far as the caller may see it; null: there is none. */
  readonly decided: EventTrace | null
}

/** A trigger that is not stored. All its simulations together may cost as much as one event at ingress. */
export interface DraftedTrigger {
  readonly sourceId: string | null
  takesIn(repository: string): boolean
  simulate(delivery: StoredDelivery): TriggerSimulationResult['results'][number]
}

export function prepareDraft(trigger: Trigger): DraftedTrigger {
  const compilation = compileTrigger(trigger)
  if (!compilation.ok) throw triggerProblem('trigger.invalid', `${compilation.problem}.`)
  const { compiled } = compilation
  const limits = createLimits()
  return {
    sourceId: trigger.sourceId,
    takesIn: (repository) => compiled.repositories?.matches(repository, limits.effort) ?? false,
    simulate: (delivery) => simulate(compiled, delivery, limits),
  }
}

function simulate(
  compiled: CompiledTrigger,
  { deliveryRecordId, sourceId, receivedAt, event, context, readsPaths }: StoredDelivery,
  limits: Limits,
): TriggerSimulationResult['results'][number] {
  const match = matchOne(compiled, event, context, evaluationWith(event, limits))
  return {
    delivery_id: deliveryRecordId,
    source_id: sourceId,
    received_at: toWireTime(receivedAt),
    event_kind: event.kind,
    action: event.action,
    repository: event.repository.full_name,
    ref: event.ref,
    matched: match.matched,
    trace: toTrace(match, readsPaths && match.pathsUndecided),
  }
}

function toTrace(match: TriggerMatch, deferred: boolean): TriggerTrace {
  return {
    layer: 'service_trigger',
    trigger_id: null,
    name: match.trigger.name,
    team_path: match.trigger.teamPath,
    pipeline: match.trigger.pipeline,
    matched: match.matched,
    first_failed: match.firstFailed,
    conditions: [...match.conditions],
    outcome: deferred ? 'deferred' : outcomeOf(match),
    reason: deferred ? DEFERRED : match.refusal,
    run_id: null,
  }
}

const DEFERRED = 'The files that changed decide, and the whole list of them is read from the repository first.'

function outcomeOf({ matched, command, refusal }: TriggerMatch): TriggerTrace['outcome'] {
  if (!matched) return 'not_matched'
  if (refusal !== null) return 'refused'
  return command === CANCEL ? 'canceled_runs' : 'started'
}

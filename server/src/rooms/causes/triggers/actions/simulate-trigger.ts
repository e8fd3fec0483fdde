import type { TriggerTrace } from '@signalbox/contracts/events'
import type { TriggerSimulationResult } from '@signalbox/contracts/triggers'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { triggerProblem } from '../errors.ts'
import type { StoredDelivery, TriggerNeeds } from '../index.ts'
import {
  CANCEL,
  type CompiledTrigger,
  compileTrigger,
  createMeans,
  type Evaluation,
  evaluationWith,
  type TriggerDefinition,
} from '../rules/index.ts'
import { matchOne, type TriggerMatch } from './match-event.ts'
import { draftTrigger } from './write-trigger.ts'

export interface Simulation {
  readonly definition: TriggerDefinition
  /** Undefined: that of the trigger, or all that the caller may read. */
  readonly sourceId: string | undefined
  readonly limit: number
}

/** After so many events others get their turn. */
const SLICE = 10

/**
 * What a trigger that is not stored says to kept deliveries of its repositories. Whoever asks must be allowed to create
 * it, and sees deliveries of sources that they may read. All events together cost no more than one does at ingress.
 */
export async function simulateTrigger(
  kit: Kit,
  needs: TriggerNeeds,
  caller: Caller,
  { definition, sourceId, limit }: Simulation,
): Promise<TriggerSimulationResult> {
  const trigger = await draftTrigger(kit, needs, caller, definition)
  const wanted = sourceId ?? definition.sourceId ?? undefined
  if (wanted !== undefined && !(await needs.sourceUsable(kit.database.kysely, caller, wanted))) {
    const errors = [{ field: 'source_id', message: 'there is no source of this id that you may use' }]
    throw platformProblem('invalid_request', 'source_id: there is no source of this id that you may use.', { errors })
  }
  const read = needs.readDeliveries()
  if (!read) throw triggerProblem('trigger.simulation_unavailable', 'Kept deliveries cannot be read here.')
  const compilation = compileTrigger(trigger)
  if (!compilation.ok) throw triggerProblem('trigger.invalid', `${compilation.problem}.`)
  const { compiled } = compilation
  const means = createMeans()
  const deliveries = await read(caller, {
    sourceId: wanted,
    repositories: (name) => compiled.repositories?.matches(name, means.effort) ?? false,
    limit,
  })
  const results: TriggerSimulationResult['results'] = []
  for (const [at, delivery] of deliveries.entries()) {
    if (at > 0 && at % SLICE === 0) await kit.clock.sleep(0)
    results.push(simulate(compiled, delivery, means))
  }
  const considered = new Set(deliveries.map(({ deliveryRecordId }) => deliveryRecordId))
  return { deliveries_considered: considered.size, results }
}

function simulate(
  compiled: CompiledTrigger,
  { deliveryRecordId, sourceId, receivedAt, event, context, readsPaths }: StoredDelivery,
  means: Pick<Evaluation, 'budget' | 'effort'>,
): TriggerSimulationResult['results'][number] {
  const match = matchOne(compiled, event, context, evaluationWith(event, means))
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

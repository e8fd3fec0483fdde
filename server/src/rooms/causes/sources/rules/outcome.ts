import type { TriggerTrace } from '@signalbox/contracts/events'
import type { EventPlan } from '#rooms/causes/events'
import type { Delivery } from './delivery.ts'

/** How a delivery is answered, and why. */
export type Outcome = Pick<Delivery, 'result' | 'statusCode' | 'reason' | 'runIds'>
type DeliveryOutcome = Outcome & Pick<Delivery, 'duplicateOf'>

/**
 * The outcome of a delivery, by the runs that its events start: 202 where it produced work, 200 where it did not. A
 * delivery that told of a change already started by another delivery gets the answer of that delivery. `would`: nothing
 * is stored, and the reason says so.
 */
export function outcomeOf(plans: readonly EventPlan[], would = false): DeliveryOutcome {
  const runIds = plans.flatMap((plan) => plan.starts.map((start) => start.run.id))
  const cancels = plans.reduce((sum, plan) => sum + plan.cancels.length, 0)
  const pending = plans.some((plan) => plan.pending !== null)
  if (runIds.length + cancels > 0 || pending) {
    const was = would ? 'would be' : runIds.length === 1 ? 'was' : 'were'
    const reason = [
      ...(runIds.length > 0 ? [`${runIds.length === 1 ? '1 run' : `${runIds.length} runs`} ${was} queued.`] : []),
      ...(cancels > 0 ? [`The comment ${would ? 'would cancel' : 'cancels'} runs of its pull request.`] : []),
      ...(pending ? [whatIsAsked(plans)] : []),
    ].join(' ')
    return { result: 'accepted', statusCode: 202, reason, runIds, duplicateOf: null }
  }
  const traces = plans.flatMap((plan) => plan.trace.triggers)
  if (traces.some((trace) => trace.outcome === 'duplicate')) {
    const duplicateOf = plans.find((plan) => plan.repeats !== null)?.repeats ?? null
    const reason = 'Another delivery told of the same change and started its runs; see the trace.'
    return { result: 'duplicate', statusCode: 202, reason, runIds, duplicateOf }
  }
  return { result: 'ignored', statusCode: 200, reason: whyNothing(plans, traces.length), runIds, duplicateOf: null }
}

/** Where the repository itself is not read, its provider is asked for a commit or for somebody's permission. */
function whatIsAsked(plans: readonly EventPlan[]): string {
  const reads = plans.some(({ pending, trace }) => pending !== null && trace.manifest !== null)
  return reads ? 'The repository is being read; see the trace.' : 'The provider is being asked; see the trace.'
}

/** An override that does not apply failed by its source. */
function isDecidingOverride({ layer, first_failed: failed }: TriggerTrace): boolean {
  return layer === 'override' && failed !== 'source'
}

function whyNothing(plans: readonly EventPlan[], considered: number): string {
  const refused = plans.reduce((sum, plan) => sum + plan.refused, 0)
  if (refused > 0) {
    return `${refused} ${refused === 1 ? 'trigger' : 'triggers'} matched, but nothing may start; see the trace.`
  }
  const overridden = plans.some(({ trace }) => trace.triggers.some(isDecidingOverride))
  if (overridden) return 'An override outranks the triggers and starts nothing for this event; see the trace.'
  const unread = new Set(plans.map(({ trace }) => trace.manifest?.reason ?? ''))
  const nothing = considered === 0 ? 'No trigger names the repository.' : 'No trigger matched; see the trace.'
  return [nothing, ...unread].filter((sentence) => sentence !== '').join(' ')
}

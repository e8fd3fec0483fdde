import type { Permission } from '@signalbox/contracts/access'
import type { EventTrace, Layer } from '@signalbox/contracts/events'
import type { DeliveryTrace } from '@signalbox/contracts/sources'

/** The rights of the reader that matter for a trace. */
export interface TraceReader {
  can(permission: Permission, teamPath: string): boolean
  /** Why a rule that would start this pipeline started nothing, as the reader may see it. */
  tell(pipeline: string | null, reason: string | null): string | null
}

const PERMISSIONS: Readonly<Record<Layer, Permission>> = {
  override: 'override.read',
  repository_manifest: 'trigger.read',
  service_trigger: 'trigger.read',
}

/**
 * A trace without the rules that the reader may not see. Otherwise the owner of any source of a repository would learn
 * the rules of all other teams for it. How many are left out is noted.
 */
export function visibleTrace(trace: DeliveryTrace, reader: TraceReader): DeliveryTrace {
  return { ...trace, events: trace.events.map((event) => visibleEvent(event, reader)) }
}

export function maySeeRule(
  { layer, team_path }: EventTrace['triggers'][number],
  reader: Pick<TraceReader, 'can'>,
): boolean {
  return reader.can(PERMISSIONS[layer], team_path)
}

function visibleEvent(event: EventTrace, reader: TraceReader): EventTrace {
  const triggers = event.triggers
    .filter((one) => maySeeRule(one, reader))
    .map((one) => (one.outcome === 'refused' ? { ...one, reason: reader.tell(one.pipeline, one.reason) } : one))
  const hidden = event.triggers.length - triggers.length
  if (hidden === 0) return { ...event, triggers }
  const left = `${hidden === 1 ? 'A rule' : `${hidden} rules`} of teams that you may not see ${hidden === 1 ? 'is' : 'are'} left out.`
  return { ...event, triggers, note: event.note === undefined ? left : `${event.note} ${left}` }
}

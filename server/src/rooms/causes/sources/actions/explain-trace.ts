import type { EventTrace } from '@signalbox/contracts/events'
import type { DeliveryTrace } from '@signalbox/contracts/sources'
import type { Caller } from '#platform/http'
import { unavailable } from '../errors.ts'
import type { Means } from '../means.ts'
import { nameSources, type TraceReader, visibleTrace } from '../rules/index.ts'

/**
 * A trace for a person, without the rules and source names that they may not see. Where nothing matched, it adds
 * triggers that nearly name the repository. Made when it is read, so that receiving costs nothing.
 */
export async function explainTrace(means: Means, trace: DeliveryTrace, caller: Caller): Promise<DeliveryTrace> {
  const visible = visibleTrace(trace, traceReader(means, caller))
  try {
    const book = await means.ingress.book.get()
    const nameOf = (sourceId: string): string | undefined => {
      const source = book.get(sourceId)?.source
      return source && caller.can('webhook_source.read', source.teamPath) ? source.name : undefined
    }
    const events = await Promise.all(
      visible.events.map(async (event) => withNearMisses(means, nameSources(event, nameOf), caller)),
    )
    return { ...visible, events }
  } catch (error) {
    throw unavailable(error)
  }
}

export function traceReader({ runs }: Means, caller: Caller): TraceReader {
  return {
    can: (permission, teamPath) => caller.can(permission, teamPath),
    tell: (pipeline, reason) => runs.reasonFor(caller, { pipeline }, reason),
  }
}

async function withNearMisses(means: Means, event: EventTrace, caller: Caller): Promise<EventTrace> {
  if (event.triggers.some(({ matched }) => matched)) return event
  const mayRead = (teamPath: string): boolean => caller.can('trigger.read', teamPath)
  const misses = await means.triggers.findNearMisses(event.repository, mayRead)
  return misses.length === 0 ? event : { ...event, near_misses: misses }
}

import type { EventTrace } from '@signalbox/contracts/events'

/** An event's trace with names beside the ids of sources. `nameOf` answers only what the reader may see. */
export function nameSources(trace: EventTrace, nameOf: (sourceId: string) => string | undefined): EventTrace {
  const named = (text: string): string => {
    const name = nameOf(text)
    return name === undefined ? text : `${name} (${text})`
  }
  const triggers = trace.triggers.map((trigger) => ({
    ...trigger,
    conditions: trigger.conditions.map((condition) =>
      condition.condition === 'source'
        ? { ...condition, expected: named(condition.expected), seen: condition.seen && named(condition.seen) }
        : condition,
    ),
  }))
  return { ...trace, triggers }
}

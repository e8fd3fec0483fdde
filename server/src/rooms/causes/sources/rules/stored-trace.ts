import { DeliveryTrace } from '@signalbox/contracts/sources'
import { Value } from 'typebox/value'

const NO_TRACE: DeliveryTrace = { verification: '', events: [] }

/**
 * A stored trace, completed with fields that were added since: the layer of a trigger, and the reading of the
 * repository's manifest. An unreadable trace becomes empty: every record stays readable.
 */
export function readStoredTrace(stored: unknown): DeliveryTrace {
  if (Value.Check(DeliveryTrace, stored)) return stored
  const events = listOf(fieldOf(stored, 'events')).map((event) => {
    const triggers = listOf(fieldOf(event, 'triggers')).map((trigger) => withDefaults(trigger, TRIGGER_BEFORE))
    return { ...withDefaults(event, { manifest: null, layer: layerOf(triggers) }), triggers }
  })
  const completed = { ...withDefaults(stored, {}), events }
  return Value.Check(DeliveryTrace, completed) ? completed : NO_TRACE
}

/** Before layers were told apart there were triggers of the service only; before that no pipeline was named. */
const TRIGGER_BEFORE = { layer: 'service_trigger', pipeline: null, reason: null, run_id: null }

function layerOf(triggers: readonly object[]): 'service_trigger' | null {
  return triggers.some((trigger) => fieldOf(trigger, 'run_id') !== null) ? 'service_trigger' : null
}

function withDefaults(value: unknown, defaults: object): object {
  return typeof value === 'object' && value !== null ? { ...defaults, ...value } : defaults
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

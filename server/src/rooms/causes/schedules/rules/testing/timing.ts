import assert from 'node:assert/strict'
import { type CompiledTiming, compileTiming, type Timing } from '../index.ts'

/** Every day at 02:30 of Berlin, unless a test says otherwise. */
export function aTiming(other: Partial<Timing> = {}): Timing {
  return {
    id: '5b0e9a1c-5d0a-4f57-9d3f-6c0b6e1c1f00',
    kind: 'recurring',
    cronExpression: '30 2 * * *',
    runAt: null,
    timezone: 'Europe/Berlin',
    dstPolicy: 'once',
    spreadMs: 0,
    excludedDates: [],
    calendar: null,
    notBefore: null,
    notAfter: null,
    ...other,
  }
}

export function compiled(other: Partial<Timing> = {}): CompiledTiming {
  const result = compileTiming(aTiming(other))
  assert.ok(result.ok, result.ok ? '' : result.faults.map(({ message }) => message).join(' '))
  return result.timing
}

/** The faults of a timing, as `field: message`. */
export function faultsOf(other: Partial<Timing>): readonly string[] {
  const result = compileTiming(aTiming(other))
  return result.ok ? [] : result.faults.map(({ field, message }) => `${field}: ${message}`)
}

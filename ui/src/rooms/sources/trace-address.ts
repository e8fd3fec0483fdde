import { readTexts } from '../../shell/search-texts.ts'
import type { TriggerTrace } from './source.ts'

/** The rule that somebody comes to see, as it stands in the address. */
export interface TraceAddress {
  /** The one that started this run. */
  readonly run?: string
  /** That of this trigger. */
  readonly trigger?: string
}

export function readTraceAddress(search: Readonly<Record<string, unknown>>): TraceAddress {
  return readTexts(search, ['run', 'trigger'] as const)
}

export function isWanted(
  { run, trigger }: TraceAddress,
  { run_id, trigger_id }: Pick<TriggerTrace, 'run_id' | 'trigger_id'>,
): boolean {
  return (run !== undefined && run_id === run) || (trigger !== undefined && trigger_id === trigger)
}

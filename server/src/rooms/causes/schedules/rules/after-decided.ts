import { spreadOf } from './plan-occurrences.ts'
import type { CompiledTiming } from './timing.ts'

export interface Decided {
  /** The next instant is planned after this. */
  readonly after: Date
  /** The newest instant of an expression that was decided or given away, whatever the timing was then; null: none. */
  readonly nominal: Date | null
}

/**
 * After which instant the first one of a new timing is planned. A greater spread moves an instant that has fired to later
 * than now. Nominal instants are the same under every timing: what is decided therefore ends with the newest of them.
 */
export function afterDecided({ timing }: CompiledTiming, { after, nominal }: Decided): Date {
  if (nominal === null) return after
  const decided = new Date(nominal.getTime() + spreadOf(timing))
  return decided > after ? decided : after
}

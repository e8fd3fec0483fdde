import type { BodyOf } from '@signalbox/contracts/http/requests'
import type { runRoutes } from '@signalbox/contracts/runs/routes'

type RerunBody = NonNullable<BodyOf<typeof runRoutes.rerunRun>>

/** What a person chose for a rerun. */
export interface RerunChoice {
  readonly mode: 'whole' | 'failed' | 'step'
  readonly step: string | null
  readonly document: 'pinned' | 'newest'
  /** Every variable as it stands in the form; of secret ones those that were typed anew. */
  readonly variables: Readonly<Record<string, string>>
}

/** The request: only what differs from the run that is repeated. */
export function rerunBody(
  { mode, step, document, variables }: RerunChoice,
  before: Readonly<Record<string, string>>,
): RerunBody {
  const edited = Object.entries(variables).filter(([name, value]) => before[name] !== value)
  return {
    mode,
    document,
    ...(mode === 'step' && step !== null ? { step } : {}),
    ...(edited.length > 0 ? { variables: Object.fromEntries(edited) } : {}),
  }
}

/** The variables with one of them set, or left out where the value is undefined. */
export function setVariable(
  variables: RerunChoice['variables'],
  name: string,
  value: string | undefined,
): RerunChoice['variables'] {
  const { [name]: _, ...others } = variables
  return value === undefined ? others : { ...variables, [name]: value }
}

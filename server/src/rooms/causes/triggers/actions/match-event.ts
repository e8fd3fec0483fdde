import type { Event } from '@signalbox/contracts/event'
import { type BoundValue, bindValue } from '@signalbox/pipeline/expressions'
import {
  type CompiledTrigger,
  evaluateVariable,
  type Match,
  type MatchContext,
  matchTrigger,
  type Trigger,
  type TriggerIndex,
} from '../rules/index.ts'

/** What one trigger says to one event. */
export interface TriggerMatch extends Match {
  readonly trigger: Trigger
  /** Values for the run, once matched; a problem when one of them cannot be evaluated. */
  readonly variables: VariablesResult
}

export type VariablesResult =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string }

const NO_VARIABLES: VariablesResult = { ok: true, values: {} }

/** Every trigger of the event's repository, oldest first, with its trace. */
export function matchEvent(index: TriggerIndex, event: Event, context: MatchContext): readonly TriggerMatch[] {
  let converted: BoundValue | undefined
  // Converted once, and only if some trigger has an expression.
  const bound = (): BoundValue => {
    converted ??= bindValue(event)
    return converted
  }
  return index.find(event.repository.full_name).map((compiled) => {
    const match = matchTrigger(compiled, event, bound, context)
    const variables = match.matched ? evaluateVariables(compiled, bound) : NO_VARIABLES
    return { ...match, trigger: compiled.trigger, variables }
  })
}

function evaluateVariables({ variables }: CompiledTrigger, bound: () => BoundValue): VariablesResult {
  if (variables.length === 0) return NO_VARIABLES
  const values: [string, string][] = []
  for (const { name, template } of variables) {
    const result = evaluateVariable(template, bound())
    if (!result.ok) return { ok: false, problem: `The variable ${name} cannot be made: ${result.message}.` }
    values.push([name, result.value])
  }
  return { ok: true, values: Object.fromEntries(values) }
}

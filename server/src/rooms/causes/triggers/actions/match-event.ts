import type { Event } from '@signalbox/contracts/event'
import { type BoundValue, bindValue } from '@signalbox/pipeline/expressions'
import {
  type CompiledTrigger,
  type Concurrency,
  evaluateVariable,
  type Match,
  type Matchable,
  type MatchContext,
  matchTrigger,
  type TriggerIndex,
} from '../rules/index.ts'

/** What one trigger says to one event. */
export interface TriggerMatch extends Match {
  /** Its id is null for an entry of a repository's manifest. */
  readonly trigger: Matchable
  /** Values for the run, once matched; a problem when one of them cannot be evaluated. */
  readonly variables: VariablesResult
  /** The command of the comment, such as `/retest`; `/cancel` asks to cancel what this trigger started. */
  readonly command: string | null
  /** Which runs it shares a place with, its group evaluated for the event. */
  readonly concurrency: Concurrency | null
  /** Why it may not start anything though it matched: a value that cannot be made, a pipeline out of its reach. */
  readonly refusal: string | null
}

export interface MatchOptions {
  /** Look at these triggers only: to match one event again, with the whole list of changed files. */
  readonly only?: ReadonlySet<string> | undefined
}

export type VariablesResult =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string }

const NO_VARIABLES: VariablesResult = { ok: true, values: {} }

/** Every trigger of the event's repository, oldest first, with its trace. */
export function matchEvent(
  index: TriggerIndex,
  event: Event,
  context: MatchContext,
  { only }: MatchOptions = {},
): readonly TriggerMatch[] {
  let converted: BoundValue | undefined
  // Converted once, and only if some trigger has an expression.
  const bound = (): BoundValue => {
    converted ??= bindValue(event)
    return converted
  }
  const found = index.find(event.repository.full_name)
  const considered = only ? found.filter(({ trigger }) => only.has(trigger.id)) : found
  return considered.map((compiled) => {
    const match = matchTrigger(compiled, event, bound, context)
    const variables = match.matched ? evaluateVariables(compiled, bound) : NO_VARIABLES
    const refusal = variables.ok ? null : variables.problem
    return { ...match, trigger: compiled.trigger, variables, command: null, concurrency: null, refusal }
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

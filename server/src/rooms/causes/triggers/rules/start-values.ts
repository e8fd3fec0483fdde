import type { CompiledTrigger } from './compile-trigger.ts'
import type { Evaluation } from './evaluation.ts'
import type { Concurrency } from './trigger.ts'
import { evaluateVariable, type Seen } from './variables.ts'

export type VariablesResult =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string }

export const NO_VARIABLES: VariablesResult = { ok: true, values: {} }

export function evaluateVariables({ variables }: CompiledTrigger, evaluation: Evaluation): VariablesResult {
  if (variables.length === 0) return NO_VARIABLES
  const values: [string, string][] = []
  for (const { name, template } of variables) {
    const result = evaluateVariable(template, seenBy(evaluation), evaluation.budget)
    if (!result.ok) return { ok: false, problem: `The variable ${name} cannot be made: ${result.message}.` }
    values.push([name, result.value])
  }
  return { ok: true, values: Object.fromEntries(values) }
}

function seenBy(evaluation: Evaluation): Seen {
  return { run: evaluation.run(), event: evaluation.event() }
}

/** UTF-16 units of an evaluated group: it is looked up by an index, whose entries may not grow without bound. */
const MAX_GROUP = 500

export type ConcurrencyResult =
  | { readonly ok: true; readonly concurrency: Concurrency | null }
  | { readonly ok: false; readonly problem: string }

/** An empty group would put together what has nothing in common, so that it is a problem as well. */
export function evaluateConcurrency({ trigger, group }: CompiledTrigger, evaluation: Evaluation): ConcurrencyResult {
  if (!trigger.concurrency || !group) return { ok: true, concurrency: null }
  const result = evaluateVariable(group, seenBy(evaluation), evaluation.budget)
  if (!result.ok) return { ok: false, problem: `The concurrency group cannot be made: ${result.message}.` }
  const text = result.value.trim()
  if (text === '') return { ok: false, problem: 'The concurrency group is empty for this event.' }
  if (text.length > MAX_GROUP) {
    return { ok: false, problem: `The concurrency group is longer than ${MAX_GROUP} characters for this event.` }
  }
  return { ok: true, concurrency: { group: text, onConflict: trigger.concurrency.onConflict } }
}

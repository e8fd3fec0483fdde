import { compileExpression, type Expression } from '@signalbox/pipeline/expressions'
import { compilePatterns, type PatternList } from '@signalbox/pipeline/patterns'
import type { Trigger } from './trigger.ts'
import { parseVariable, type VariableTemplate } from './variables.ts'

/** A trigger made ready for many events. */
export interface CompiledTrigger {
  readonly trigger: Trigger
  readonly repositories: PatternList
  readonly branches: PatternList | undefined
  readonly tags: PatternList | undefined
  readonly paths: PatternList | undefined
  readonly condition: Expression | undefined
  readonly variables: readonly { readonly name: string; readonly template: VariableTemplate }[]
}

/** A stored trigger that can no longer be read, for example after a change of the expression language. */
export interface BrokenTrigger {
  readonly trigger: Trigger
  readonly problem: string
}

export type Compilation =
  | { readonly ok: true; readonly compiled: CompiledTrigger }
  | { readonly ok: false; readonly broken: BrokenTrigger }

/** Never throws: one broken trigger must not keep the others from being matched. */
export function compileTrigger(trigger: Trigger): Compilation {
  const condition =
    trigger.condition === null ? undefined : compileExpression(trigger.condition, { identifiers: ['event'] })
  if (condition && !condition.ok) return broken(trigger, `if: ${condition.problems[0]?.message ?? 'cannot be read'}`)
  const variables = []
  for (const [name, text] of Object.entries(trigger.variables)) {
    const parsed = parseVariable(text)
    if (!parsed.ok) return broken(trigger, `variables.${name}: ${parsed.message}`)
    variables.push({ name, template: parsed.template })
  }
  try {
    return {
      ok: true,
      compiled: {
        trigger,
        repositories: compilePatterns(trigger.repositories, { caseInsensitive: true }),
        branches: optionalList(trigger.branches),
        tags: optionalList(trigger.tags),
        paths: optionalList(trigger.paths),
        condition: condition?.expression,
        variables,
      },
    }
  } catch (error) {
    return broken(trigger, error instanceof Error ? error.message : 'a pattern cannot be read')
  }
}

function optionalList(patterns: readonly string[]): PatternList | undefined {
  return patterns.length === 0 ? undefined : compilePatterns(patterns)
}

function broken(trigger: Trigger, problem: string): Compilation {
  return { ok: false, broken: { trigger, problem } }
}

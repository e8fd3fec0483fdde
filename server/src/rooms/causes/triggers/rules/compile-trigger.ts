import { compileExpression, type Expression } from '@signalbox/pipeline/expressions'
import { compilePatterns, type PatternList } from '@signalbox/pipeline/patterns'
import { type CommenterList, compileCommenters, DEFAULT_COMMENTERS } from './commenters.ts'
import { compileLabels, type LabelList } from './label-list.ts'
import type { Matchable } from './trigger.ts'
import { parseVariable, type VariableTemplate } from './variables.ts'

/** A trigger made ready for many events. */
export interface CompiledTrigger {
  readonly trigger: Matchable
  /** Undefined: an entry of a manifest, which is about its own repository. */
  readonly repositories: PatternList | undefined
  readonly branches: PatternList | undefined
  readonly tags: PatternList | undefined
  readonly paths: PatternList | undefined
  readonly labels: LabelList | undefined
  readonly commenters: CommenterList | undefined
  readonly condition: Expression | undefined
  readonly variables: readonly { readonly name: string; readonly template: VariableTemplate }[]
  readonly group: VariableTemplate | undefined
}

export type Compilation =
  | { readonly ok: true; readonly compiled: CompiledTrigger }
  /** A stored trigger that can no longer be read, for example after a change of the expression language. */
  | { readonly ok: false; readonly problem: string }

/** Never throws: one broken trigger must not keep the others from being matched. */
export function compileTrigger(trigger: Matchable): Compilation {
  const condition =
    trigger.condition === null ? undefined : compileExpression(trigger.condition, { identifiers: ['event'] })
  if (condition && !condition.ok) return broken(`if: ${condition.problems[0]?.message ?? 'cannot be read'}`)
  const variables = []
  for (const [name, text] of Object.entries(trigger.variables)) {
    const parsed = parseVariable(text)
    if (!parsed.ok) return broken(`variables.${name}: ${parsed.message}`)
    variables.push({ name, template: parsed.template })
  }
  const group = trigger.concurrency ? parseVariable(trigger.concurrency.group) : undefined
  if (group && !group.ok) return broken(`concurrency.group: ${group.message}`)
  try {
    return {
      ok: true,
      compiled: {
        trigger,
        repositories:
          trigger.id === null ? undefined : compilePatterns(trigger.repositories, { caseInsensitive: true }),
        branches: optionalList(trigger.branches),
        tags: optionalList(trigger.tags),
        paths: optionalList(trigger.paths),
        labels: trigger.labels.length === 0 ? undefined : compileLabels(trigger.labels),
        commenters: commentersOf(trigger),
        condition: condition?.expression,
        variables,
        group: group?.template,
      },
    }
  } catch (error) {
    return broken(error instanceof Error ? error.message : 'a pattern cannot be read')
  }
}

function optionalList(patterns: readonly string[]): PatternList | undefined {
  return patterns.length === 0 ? undefined : compilePatterns(patterns)
}

/** Anybody may comment, but commands and reviews are for members unless the trigger says otherwise. */
function commentersOf({ commands, commenters, events }: Matchable): CommenterList | undefined {
  if (commenters.length > 0) return compileCommenters(commenters)
  return commands.length > 0 || events.includes('pull_request_review')
    ? compileCommenters(DEFAULT_COMMENTERS)
    : undefined
}

function broken(problem: string): Compilation {
  return { ok: false, problem }
}

import { type BoundValue, bindValue, compileExpression, evaluateCondition } from '../expressions/index.ts'
import type { Draft } from './draft.ts'
import type { GraphIndex, StepIndex } from './graph-index.ts'
import type { Json, RunContext } from './transition.ts'

/**
 * Decides conditions of steps and tasks. A condition sees `event`, `variables` and `steps.<name>` with `status` and
 * `tasks.<name>` (`status`, `exit_code`, `outputs` without the sensitive ones) of every step it names.
 */
export class Conditions {
  readonly #index: GraphIndex
  readonly #context: RunContext
  // Made when the first condition asks: most transitions have none.
  #event: BoundValue | undefined
  #variables: BoundValue | undefined

  constructor(index: GraphIndex, context: RunContext) {
    this.#index = index
    this.#context = context
  }

  /** Null when the condition holds (or there is none), else the reason for which its step or task is skipped. */
  unmet(condition: string | null, step: StepIndex, draft: Draft): string | null {
    if (condition === null) return null
    const compiled = compileExpression(condition, { identifiers: ['event', 'variables', 'steps'] })
    if (!compiled.ok) return `skipped: the condition ${condition} is invalid: ${compiled.problems[0]?.message ?? ''}`
    this.#event ??= bindValue(this.#context.event)
    this.#variables ??= bindValue(this.#context.variables)
    const { references } = compiled.expression
    const result = evaluateCondition(compiled.expression, {
      event: this.#event,
      variables: this.#variables,
      steps: bindValue(this.#describeSteps(references, step, draft)),
    })
    if (!result.ok) return `skipped: the condition ${condition} could not be evaluated: ${result.message}`
    return result.value ? null : `skipped: the condition ${condition} is false`
  }

  /** Only the steps that the expression names; all of them where it computes a name. */
  #describeSteps(references: readonly (readonly string[])[], own: StepIndex, draft: Draft): Json {
    const named = new Set<string>()
    let all = false
    for (const [root, name] of references) {
      if (root !== 'steps') continue
      if (name === undefined) all = true
      else named.add(name)
    }
    const described: Record<string, Json> = {}
    for (const name of all ? this.#upstreamOf(own) : named) {
      const at = this.#index.stepAt.get(name)
      if (at !== undefined) described[name] = describeStep(draft, at)
    }
    return described
  }

  /** The steps that are guaranteed to be complete, so that a computed name cannot make results depend on timing. */
  #upstreamOf(own: StepIndex): Iterable<string> {
    const found = new Set<number>(own.dependsOn)
    for (const at of found) for (const earlier of this.#index.steps[at]?.dependsOn ?? []) found.add(earlier)
    return [...found].flatMap((at) => this.#index.steps[at]?.step.name ?? [])
  }
}

function describeStep(draft: Draft, at: number): Json {
  const step = draft.step(at)
  const tasks: Record<string, Json> = {}
  for (const position of step.tasks.keys()) {
    const task = draft.task(at, position)
    const outputs: Record<string, Json> = {}
    for (const [name, output] of Object.entries(task.outputs)) if (!output.sensitive) outputs[name] = output.value
    tasks[task.name] = { status: task.status, exit_code: task.exitCode, outputs }
  }
  return { status: step.status, tasks }
}

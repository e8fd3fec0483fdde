import {
  type BoundValue,
  bindValue,
  compileExpression,
  evaluateCondition,
  explainFailure,
} from '../expressions/index.ts'
import { describeRun } from '../facts/index.ts'
import type { GraphTask } from '../graph/graph.ts'
import type { Draft } from './draft.ts'
import type { GraphIndex, StepIndex, TaskIndex } from './graph-index.ts'
import { isTerminalStep, type TaskState } from './state.ts'
import type { Json, RunContext } from './transition.ts'

const WITHOUT_MATRIX = ['run', 'event', 'variables', 'steps'] as const
const WITH_MATRIX = [...WITHOUT_MATRIX, 'matrix'] as const

/** False: the step or task is skipped. Broken: the condition gives neither yes nor no, and the step or task fails. */
export interface Unmet {
  readonly is: 'false' | 'broken'
  readonly reason: string
}

/**
 * Decides conditions of steps and tasks. A condition sees `run`, `event`, `variables` and `steps.<name>` with `status`
 * and `tasks.<name>` (`status`, `exit_code`, `outputs` without the sensitive ones) of every step it names. The condition
 * of a task with a matrix sees its values as `matrix`, too.
 */
export class Conditions {
  readonly #index: GraphIndex
  readonly #context: RunContext
  // Made when the first condition asks: most transitions have none.
  #run: BoundValue | undefined
  #event: BoundValue | undefined
  #variables: BoundValue | undefined
  /** The values that conditions saw of complete steps, which every task of a wide step will see again. */
  readonly #settled = new Map<string, BoundValue>()

  constructor(index: GraphIndex, context: RunContext) {
    this.#index = index
    this.#context = context
  }

  /** Null when the condition holds, or there is none. */
  unmet(step: StepIndex, task: TaskIndex | null, draft: Draft): Unmet | null {
    const { condition } = task === null ? step.step : task.task
    if (condition === null) return null
    const matrix = task?.task.matrix ?? null
    const identifiers = matrix === null ? WITHOUT_MATRIX : WITH_MATRIX
    const compiled = compileExpression(condition, { identifiers })
    if (!compiled.ok) return broken(condition, compiled.problems[0]?.message ?? '')
    this.#run ??= bindValue(describeRun(this.#context.run))
    this.#event ??= bindValue(this.#context.event)
    this.#variables ??= bindValue(this.#context.variables)
    const { references } = compiled.expression
    const result = evaluateCondition(compiled.expression, {
      run: this.#run,
      event: this.#event,
      variables: this.#variables,
      steps: this.#bindSteps(condition, references, step, draft),
      ...(matrix !== null && { matrix: bindValue(matrix) }),
    })
    if (!result.ok) {
      return broken(condition, explainFailure(result.message, [compiled.expression], this.#context.event))
    }
    return result.value ? null : { is: 'false', reason: `skipped: the condition ${condition} is false` }
  }

  #bindSteps(condition: string, references: readonly (readonly string[])[], own: StepIndex, draft: Draft): BoundValue {
    // Names have no space in them.
    const key = `${own.step.name} ${condition}`
    const known = this.#settled.get(key)
    if (known !== undefined) return known
    const described = this.#describeSteps(references, own, draft)
    const bound = bindValue(described)
    const settled = Object.keys(described).every((name) => {
      const at = this.#index.stepAt.get(name)
      return at !== undefined && isTerminalStep(draft.step(at).status)
    })
    if (settled) this.#settled.set(key, bound)
    return bound
  }

  /** Only the steps and tasks that the expression names; all of them where it computes a name. */
  #describeSteps(
    references: readonly (readonly string[])[],
    own: StepIndex,
    draft: Draft,
  ): Readonly<Record<string, Json>> {
    const named = new Map<string, Set<string> | 'all'>()
    let all = false
    for (const [root, name, part, task] of references) {
      if (root !== 'steps') continue
      if (name === undefined) {
        all = true
        continue
      }
      const tasks = named.get(name) ?? new Set<string>()
      named.set(name, tasks)
      if (part === 'status' || tasks === 'all') continue
      if (part === 'tasks' && task !== undefined) tasks.add(task)
      else named.set(name, 'all')
    }
    if (all) for (const name of this.#upstreamOf(own)) named.set(name, 'all')
    const described: Record<string, Json> = {}
    for (const [name, tasks] of named) {
      const at = this.#index.stepAt.get(name)
      if (at !== undefined) described[name] = this.#describeStep(at, tasks, draft)
    }
    return described
  }

  /** The steps that are guaranteed to be complete, so that a computed name cannot make results depend on timing. */
  #upstreamOf(own: StepIndex): Iterable<string> {
    const found = new Set<number>(own.dependsOn)
    for (const at of found) for (const earlier of this.#index.steps[at]?.dependsOn ?? []) found.add(earlier)
    return [...found].flatMap((at) => this.#index.steps[at]?.step.name ?? [])
  }

  #describeStep(at: number, wanted: ReadonlySet<string> | 'all', draft: Draft): Json {
    const tasks: Record<string, Json> = {}
    const { taskAt } = this.#index.steps[at] ?? {}
    for (const name of wanted === 'all' ? (taskAt?.keys() ?? []) : wanted) {
      const position = taskAt?.get(name)
      const { task } = this.#index.steps[at]?.tasks[position ?? -1] ?? {}
      if (position !== undefined && task) tasks[name] = describeTask(task, draft.task(at, position))
    }
    return { status: draft.step(at).status, tasks }
  }
}

/** An output that was not written is an empty text, as in an environment. */
function describeTask({ outputs: declared }: GraphTask, { status, exitCode, outputs: written }: TaskState): Json {
  const outputs: Record<string, Json> = {}
  for (const [name, { sensitive }] of Object.entries(declared)) {
    const output = written[name] ?? { value: '', sensitive }
    if (!output.sensitive) outputs[name] = output.value
  }
  return { status, exit_code: exitCode, outputs }
}

function broken(condition: string, why: string): Unmet {
  return { is: 'broken', reason: `the condition ${condition} could not be evaluated: ${why}` }
}

import { compileExpression } from '../expressions/index.ts'
import type { OutputReference } from '../graph/index.ts'
import { formatReference, parseTemplate } from '../outputs/index.ts'
import type { DocumentOrder } from './check-order.ts'
import type { Outline, Placed, PlacedText, StepOutline, TaskOutline } from './outline.ts'
import type { Position, ProblemList } from './problem.ts'
import { nearest } from './suggestion.ts'

/** Who looks back: a task of a step, or the step itself (its condition). */
interface Reader {
  readonly step: StepOutline
  readonly task: TaskOutline | undefined
}

/** Checks everything that looks at what ran earlier: output references in `env`, and conditions. */
export function checkReferences(
  outline: Outline,
  order: DocumentOrder,
  problems: ProblemList,
  warnings: ProblemList,
): void {
  const checker = new ReferenceChecker(outline, order, problems)
  for (const step of outline.steps) {
    checker.condition({ step, task: undefined }, step.condition)
    for (const task of step.tasks) {
      const reader = { step, task }
      checker.condition(reader, task.condition)
      for (const value of task.env.values()) checker.template(reader, value)
      if (task.script !== undefined) warnAboutScript(task.script, warnings)
    }
  }
}

class ReferenceChecker {
  readonly #steps: ReadonlyMap<string, { step: StepOutline; tasks: ReadonlyMap<string, TaskOutline> }>
  readonly #order: DocumentOrder
  readonly #problems: ProblemList

  constructor(outline: Outline, order: DocumentOrder, problems: ProblemList) {
    const byName = <Node extends { name: Placed<string> | undefined }>(nodes: readonly Node[]) =>
      nodes.flatMap((node): [string, Node][] => (node.name === undefined ? [] : [[node.name.value, node]])).reverse()
    this.#steps = new Map(
      byName(outline.steps).map(([name, step]) => [name, { step, tasks: new Map(byName(step.tasks)) }]),
    )
    this.#order = order
    this.#problems = problems
  }

  template(reader: Reader, value: Placed<string>): void {
    if (!value.value.includes('$steps.')) return
    const { template, problems } = parseTemplate(value.value)
    for (const problem of problems) this.#problems.add('invalid_reference', value.directive, value, problem.message)
    for (const part of template) {
      if (typeof part !== 'string') this.#output(reader, part, value.directive, value, formatReference(part))
    }
  }

  condition(reader: Reader, condition: PlacedText | undefined): void {
    if (condition === undefined) return
    const { directive } = condition
    const compiled = compileExpression(condition.value, { identifiers: ['event', 'variables', 'steps'] })
    if (!compiled.ok) {
      for (const problem of compiled.problems) {
        const column =
          condition.firstColumn === undefined ? condition.column : condition.firstColumn + problem.column - 1
        const message = `the condition cannot be used: ${problem.message}`
        this.#problems.add('invalid_expression', directive, { line: condition.line, column }, message)
      }
      return
    }
    for (const [root, step, keyword, task, outputs, output] of compiled.expression.references) {
      if (root !== 'steps' || step === undefined) continue
      const path = ['steps', step, keyword, task, outputs, output].filter((part) => part !== undefined).join('.')
      if (keyword !== undefined && keyword !== 'status' && keyword !== 'tasks') {
        const message = `\`${path}\` does not exist: a step has status and tasks`
        this.#problems.add('invalid_reference', directive, condition, message)
      } else if (keyword !== 'tasks' || task === undefined) this.#step(reader, step, directive, condition, path)
      else if (outputs === 'outputs' && output !== undefined) {
        const sensitive = this.#output(reader, { step, task, output }, directive, condition, path)?.sensitive
        if (sensitive) {
          const message = `\`${path}\` is sensitive and may not decide a condition: write a second output that is not`
          this.#problems.add('sensitive_condition', directive, condition, message)
        }
      } else if (this.#task(reader, step, task, directive, condition, path) !== undefined) {
        if (outputs === undefined || outputs === 'status' || outputs === 'exit_code' || outputs === 'outputs') continue
        const message = `\`${path}\` does not exist: a task has status, exit_code and outputs`
        this.#problems.add('invalid_reference', directive, condition, message)
      }
    }
  }

  #output(reader: Reader, to: OutputReference, directive: string, at: Position, text: string) {
    const task = this.#task(reader, to.step, to.task, directive, at, text)
    if (task === undefined) return undefined
    const output = task.outputs.get(to.output)
    if (output !== undefined) return output
    const near = nearest(to.output, [...task.outputs.keys()])
    const instead = near === undefined ? `add it there, outputs: { ${to.output}: {} }` : `did you mean \`${near}\`?`
    const message = `\`${text}\`: the task ${to.step}.${to.task} declares no output \`${to.output}\`; ${instead}`
    this.#problems.add('unknown_output', directive, at, message)
    return undefined
  }

  #task(reader: Reader, step: string, task: string, directive: string, at: Position, text: string) {
    const target = this.#steps.get(step)
    if (target === undefined) return this.#unknown('step', step, [...this.#steps.keys()], directive, at, text)
    const found = target.tasks.get(task)
    if (found === undefined) return this.#unknown('task', task, [...target.tasks.keys()], directive, at, text)
    if (reader.task === undefined || target.step !== reader.step) {
      return this.#step(reader, step, directive, at, text) ? found : undefined
    }
    const own = reader.task.name?.value
    // Without a sound name of its own there is no order to hold against.
    if (own === undefined) return found
    if (this.#order.tasks.get(reader.step)?.precedes(task, own) && task !== own) return found
    const message =
      task === own
        ? `\`${text}\`: a task cannot use what it is itself about to write`
        : `\`${text}\`: task ${task} is not sure to be complete before ${own} starts; add depends_on: [${task}] to ${own}`
    this.#problems.add('unordered_reference', directive, at, message)
    return undefined
  }

  #step(reader: Reader, step: string, directive: string, at: Position, text: string): boolean {
    if (!this.#steps.has(step)) {
      this.#unknown('step', step, [...this.#steps.keys()], directive, at, text)
      return false
    }
    const own = reader.step.name?.value
    if (own === undefined || (this.#order.steps.precedes(step, own) && step !== own)) return true
    const message =
      step === own
        ? `\`${text}\`: step ${own} is not complete while it runs; look at its earlier tasks or at earlier steps`
        : this.#order.steps.precedes(own, step)
          ? `\`${text}\`: step ${step} runs after ${own}; only what is complete before can be used`
          : `\`${text}\`: step ${step} is not sure to be complete before ${own} starts; add depends_on: [${step}] to step ${own}`
    this.#problems.add('unordered_reference', directive, at, message)
    return false
  }

  #unknown(
    kind: 'step' | 'task',
    name: string,
    names: string[],
    directive: string,
    at: Position,
    text: string,
  ): undefined {
    const near = nearest(name, names)
    const instead = near === undefined ? `name one of ${names.slice(0, 10).join(', ')}` : `did you mean \`${near}\`?`
    this.#problems.add('invalid_reference', directive, at, `\`${text}\`: there is no ${kind} \`${name}\`; ${instead}`)
    return undefined
  }
}

function warnAboutScript(script: Placed<string>, warnings: ProblemList): void {
  if (!script.value.includes('$steps.')) return
  for (const part of parseTemplate(script.value).template) {
    if (typeof part === 'string') continue
    const message = `\`${formatReference(part)}\` is not replaced in a script: give it a name in env and use that`
    warnings.add('reference_in_script', script.directive, script, message)
    return
  }
}

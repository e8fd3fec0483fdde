import type { OutputReference } from '../../graph/index.ts'
import type { Layout, NamedTask, StepLayout } from '../matrix/index.ts'
import type { TaskOutline } from '../outline/index.ts'
import type { Position, ProblemCode, ProblemList } from '../problem.ts'
import { nearest } from '../suggestion.ts'
import type { DocumentOrder } from './check-order.ts'

/** The reader of a reference: a task of a step in one combination of its matrix, or the step itself (its condition). */
export interface Reader {
  readonly step: StepLayout
  readonly task: TaskOutline | undefined
  /** The place of the combination; null: the value is the same in every one. */
  readonly at: number | null
}

/** Where something is named, and how it is written there. */
export interface Mention {
  readonly directive: string
  readonly at: Position
  readonly text: string
}

/**
 * Finds a named output and checks the order: a reader's sources must be complete before it starts. A missing name, or
 * one out of order, is reported and undefined. A reader that is null comes after everything.
 */
export class TaskFinder {
  readonly #layout: Layout
  readonly #order: DocumentOrder
  readonly #problems: ProblemList

  constructor(layout: Layout, order: DocumentOrder, problems: ProblemList) {
    this.#layout = layout
    this.#order = order
    this.#problems = problems
  }

  /** The step of that name, in order or not. */
  step(name: string): StepLayout | undefined {
    return this.#layout.named(name)
  }

  output(reader: Reader | null, to: OutputReference, mention: Mention): { readonly sensitive: boolean } | undefined {
    const task = this.task(reader, to.step, to.task, mention)
    if (task === undefined) return undefined
    const output = task.outputs.get(to.output)
    if (output !== undefined) return output
    const near = nearest(to.output, [...task.outputs.keys()])
    const declared = [...task.outputs.keys()].join(', ')
    const instead =
      near !== undefined
        ? `did you mean \`${near}\`?`
        : task.approval === undefined
          ? `add it there, outputs: { ${to.output}: {} }`
          : `it has ${declared}`
    const message = `\`${mention.text}\`: the task ${to.step}.${to.task} declares no output \`${to.output}\`; ${instead}`
    return this.#report('unknown_output', mention, message)
  }

  task(reader: Reader | null, step: string, name: string, mention: Mention): TaskOutline | undefined {
    const target = this.#layout.named(step)
    if (target === undefined) return this.#unknown('step', step, this.#layout.stepNames, mention)
    const found = target.names.get(name)
    if (found === undefined) {
      // The names of instances are not known where the matrix could not be written out.
      if (target.step.matrix !== undefined && target.combinations === null) return undefined
      return this.#unknown('task', name, [...target.names.keys()], mention)
    }
    if (reader === null) return found.task
    if (reader.task === undefined || target !== reader.step) {
      return this.precedes(reader, step, mention) ? found.task : undefined
    }
    return this.#inSameStep(reader, reader.task, { ...found, name }, mention) ? found.task : undefined
  }

  /** Whether a step is complete before the reader's step starts. */
  precedes(reader: Reader, step: string, mention: Mention): boolean {
    if (this.#layout.named(step) === undefined) {
      this.#unknown('step', step, this.#layout.stepNames, mention)
      return false
    }
    const own = reader.step.step.name?.value
    if (own === undefined || (this.#order.steps.precedes(step, own) && step !== own)) return true
    const { text } = mention
    const message =
      step === own
        ? `\`${text}\`: step ${own} is not complete while it runs; look at its earlier tasks or at earlier steps`
        : this.#order.steps.precedes(own, step)
          ? `\`${text}\`: step ${step} runs after ${own}; only what is complete before can be used`
          : `\`${text}\`: step ${step} is not sure to be complete before ${own} starts; add depends_on: [${step}] to step ${own}`
    this.#report('unordered_reference', mention, message)
    return false
  }

  #inSameStep(
    reader: Reader,
    readingTask: TaskOutline,
    { name, ...found }: NamedTask & { readonly name: string },
    mention: Mention,
  ): boolean {
    const own = readingTask.name?.value
    const task = found.task.name?.value
    // Without a sound name of its own there is no order to hold against.
    if (own === undefined || task === undefined) return true
    const { text } = mention
    if (task !== own && this.#order.tasks.get(reader.step.step)?.precedes(task, own)) {
      const only = reader.step.combinations?.length === 1
      if (found.instance === null || found.instance.at === reader.at || only) return true
      const message = `\`${text}\`: ${name} is not sure to be complete before every instance of ${own} starts; write ${task}, which means the one of the same combination`
      this.#report('unordered_reference', mention, message)
      return false
    }
    const message =
      task === own
        ? `\`${text}\`: a task cannot use what it is itself about to write`
        : `\`${text}\`: task ${task} is not sure to be complete before ${own} starts; add depends_on: [${task}] to ${own}`
    this.#report('unordered_reference', mention, message)
    return false
  }

  #unknown(kind: 'step' | 'task', name: string, names: readonly string[], mention: Mention): undefined {
    const near = nearest(name, names)
    const instead = near === undefined ? `name one of ${names.slice(0, 10).join(', ')}` : `did you mean \`${near}\`?`
    return this.#report(
      'invalid_reference',
      mention,
      `\`${mention.text}\`: there is no ${kind} \`${name}\`; ${instead}`,
    )
  }

  #report(code: ProblemCode, mention: Mention, message: string): undefined {
    this.#problems.add(code, mention.directive, mention.at, message)
    return undefined
  }
}

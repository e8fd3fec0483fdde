import type { OutputReference, ValuePart } from '../../graph/index.ts'
import type { Outline, StepOutline, TaskOutline } from '../outline/index.ts'
import type { Combination } from './fill-in.ts'
import { instanceName } from './slug.ts'

/** One task as it will run. `at` is the place of its combination; 0 without a matrix. */
export interface Instance {
  readonly name: string
  readonly at: number
}

/** A task by one of its names: in the document (`instance` null), or of one instance of its matrix. */
export interface NamedTask {
  readonly task: TaskOutline
  readonly instance: Instance | null
}

/** A step with all that its matrix makes of it. */
export interface StepLayout {
  readonly step: StepOutline
  /** Null: it has no matrix. */
  readonly combinations: readonly Combination[] | null
  /** The instances of every task with a name, in the order of the combinations. */
  readonly instances: ReadonlyMap<TaskOutline, readonly Instance[]>
  /** The names of the document first, then those of instances. */
  readonly names: ReadonlyMap<string, NamedTask>
}

/** Steps by name; of two of one name the first. */
export class Layout {
  readonly #byStep: ReadonlyMap<StepOutline, StepLayout>
  readonly #byName = new Map<string, StepLayout>()

  constructor(outline: Outline, combinations: ReadonlyMap<StepOutline, readonly CombinationValues[] | null>) {
    this.#byStep = new Map(outline.steps.map((step) => [step, layOut(step, combinations.get(step) ?? null)]))
    for (const layout of this.#byStep.values()) {
      const name = layout.step.name?.value
      if (name !== undefined && !this.#byName.has(name)) this.#byName.set(name, layout)
    }
  }

  get stepNames(): readonly string[] {
    return [...this.#byName.keys()]
  }

  /** With every instance. */
  get taskCount(): number {
    return this.steps.reduce((sum, { step, combinations }) => sum + step.tasks.length * (combinations?.length ?? 1), 0)
  }

  get steps(): readonly StepLayout[] {
    return [...this.#byStep.values()]
  }

  /** Undefined: there is no step of that name. */
  named(step: string): StepLayout | undefined {
    return this.#byName.get(step)
  }

  /**
   * Finds the part of the graph that a sound reference of a task stands for. Within a step with a matrix it is the task
   * of the same combination; of a task with a matrix in another step, all instances.
   */
  resolve(reference: OutputReference, from: { readonly step: StepOutline; readonly at: number } | null): ValuePart {
    const target = this.#byName.get(reference.step)
    const found = target?.names.get(reference.task)
    if (target === undefined || found === undefined) return reference
    if (found.instance !== null || target.combinations === null) return reference
    const instances = target.instances.get(found.task) ?? []
    const own = from?.step === target.step ? instances[from.at] : undefined
    if (own !== undefined) return { ...reference, task: own.name }
    return { step: reference.step, tasks: instances.map((instance) => instance.name), output: reference.output }
  }
}

/** The values of a combination for texts and conditions (every axis of the matrix), and those that name it. */
export interface CombinationValues {
  readonly values: Combination
  readonly own: ReadonlyMap<string, string>
}

function layOut(step: StepOutline, combinations: readonly CombinationValues[] | null): StepLayout {
  const instances = new Map<TaskOutline, readonly Instance[]>()
  const names = new Map<string, NamedTask>()
  for (const task of step.tasks) {
    const name = task.name?.value
    if (name === undefined) continue
    if (!names.has(name)) names.set(name, { task, instance: null })
    const own = combinations?.map((one, at) => ({ name: instanceName(name, one.own), at }))
    instances.set(task, own ?? [{ name, at: 0 }])
  }
  if (combinations !== null) {
    for (const [task, own] of instances) {
      for (const instance of own) if (!names.has(instance.name)) names.set(instance.name, { task, instance })
    }
  }
  return { step, combinations: combinations?.map((one) => one.values) ?? null, instances, names }
}

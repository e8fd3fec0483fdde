import type { OutputReference } from '../graph/values.ts'
import type { OutputValue, RunState } from '../status/state.ts'

/** The value that a task wrote; undefined where it wrote none, or did not run. */
export type FindOutput = (reference: OutputReference) => OutputValue | undefined

/** Looks into a state; steps and tasks are found by name once they have been asked for. */
export function outputFinder(state: RunState): FindOutput {
  const found = new Map<string, Readonly<Record<string, OutputValue>>>()
  let filled = false
  const fill = () => {
    for (const step of state.steps) for (const task of step.tasks) found.set(`${step.name}/${task.name}`, task.outputs)
    filled = true
  }
  return ({ step, task, output }) => {
    if (!filled) fill()
    const outputs = found.get(`${step}/${task}`) ?? {}
    return Object.hasOwn(outputs, output) ? outputs[output] : undefined
  }
}

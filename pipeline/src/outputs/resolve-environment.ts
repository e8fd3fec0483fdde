import type { OutputReference, ValueTemplate } from '../graph/graph.ts'
import type { RunState } from '../status/state.ts'
import { formatReference } from './template.ts'

export interface Environment {
  readonly values: Readonly<Record<string, string>>
  /** Every sensitive output that went into a value: to be masked, besides the run's secrets. */
  readonly sensitiveValues: readonly string[]
  /** References whose task wrote no such output (or was skipped); each stands for an empty string. */
  readonly missing: readonly string[]
}

/** Puts the outputs of completed tasks into a task's environment templates. */
export function resolveEnvironment(env: Readonly<Record<string, ValueTemplate>>, state: RunState): Environment {
  const find = outputFinder(state)
  const values: [string, string][] = []
  const sensitive = new Set<string>()
  const missing = new Set<string>()
  for (const [name, template] of Object.entries(env)) {
    let value = ''
    for (const part of template) {
      if (typeof part === 'string') {
        value += part
        continue
      }
      if ('tasks' in part) {
        const all = part.tasks.map((task) => find({ ...part, task }))
        for (const one of all) if (one?.sensitive && one.value !== '') sensitive.add(one.value)
        value += JSON.stringify(all.map((one) => one?.value ?? null))
        continue
      }
      const output = find(part)
      if (output === undefined) missing.add(formatReference(part))
      else if (output.sensitive && output.value !== '') sensitive.add(output.value)
      value += output?.value ?? ''
    }
    values.push([name, value])
  }
  return { values: Object.fromEntries(values), sensitiveValues: [...sensitive], missing: [...missing] }
}

function outputFinder(state: RunState) {
  return (reference: OutputReference) => {
    const tasks = state.steps.find((step) => step.name === reference.step)?.tasks
    const outputs = tasks?.find((task) => task.name === reference.task)?.outputs ?? {}
    return Object.hasOwn(outputs, reference.output) ? outputs[reference.output] : undefined
  }
}

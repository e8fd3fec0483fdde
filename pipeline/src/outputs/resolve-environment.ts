import type { ValueTemplate } from '../graph/values.ts'
import type { RunState } from '../status/state.ts'
import { outputFinder } from './find-output.ts'
import { formatReference } from './template.ts'

export interface Environment {
  readonly values: Readonly<Record<string, string>>
  /** Every sensitive output that went into a value: to be masked, besides the run's secrets. */
  readonly sensitiveValues: readonly string[]
  /** References whose task wrote no such output (or was skipped); each stands for an empty string, or null in an array. */
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
        const all = part.tasks.map((task) => {
          const reference = { step: part.step, task, output: part.output }
          const one = find(reference)
          if (one === undefined) missing.add(formatReference(reference))
          else if (one.sensitive && one.value !== '') {
            sensitive.add(one.value)
            // In JSON it may look otherwise, and both must be masked.
            sensitive.add(JSON.stringify(one.value).slice(1, -1))
          }
          return one?.value ?? null
        })
        value += JSON.stringify(all)
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

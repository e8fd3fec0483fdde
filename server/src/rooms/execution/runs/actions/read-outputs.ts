import { readRecord } from '../rules/stored-json.ts'
import type { TaskRow } from '../store/run-row.ts'

export interface OutputEntry {
  readonly step: string
  readonly task: string
  readonly name: string
  readonly sensitive: boolean
  readonly value: string | null
}

/** The outputs of a run's tasks; sensitive ones are named, their values stay sealed. */
export function readOutputs(tasks: readonly TaskRow[]): OutputEntry[] {
  return tasks.flatMap(({ step, task, outputs }) =>
    Object.entries(readRecord(outputs)).map(([name, entry]) => {
      const { value } = readRecord(entry)
      const sensitive = typeof value !== 'string'
      return { step, task, name, sensitive, value: sensitive ? null : value }
    }),
  )
}

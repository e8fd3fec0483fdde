import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { loadTasks } from '../store/load-runs.ts'
import { findVisibleStatus } from './find-visible-run.ts'

export interface OutputEntry {
  readonly step: string
  readonly task: string
  readonly name: string
  readonly sensitive: boolean
  readonly value: string | null
}

/** The outputs of the tasks of a run that the caller may see; sensitive ones are named, their values stay sealed. */
export async function readOutputs(means: Means, caller: Caller, id: string): Promise<OutputEntry[]> {
  const db = means.database.kysely
  const run = await findVisibleStatus(means, caller, id)
  return (await loadTasks(db, [run.id])).flatMap(({ step, task, outputs }) =>
    Object.entries(outputs).map(([name, entry]) => {
      const value = 'value' in entry ? entry.value : null
      return { step, task, name, sensitive: value === null, value }
    }),
  )
}

import type { RunCommand, RunCommandsQuery } from '@signalbox/contracts/commands'
import { type Caller, type Page, pageOf, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import { withoutValues } from '../rules/index.ts'
import * as store from '../store/index.ts'

export interface RunCommandsWish {
  readonly runId: string
  readonly query: RunCommandsQuery
}

/** Of a run that the caller may read. Throws run.not_found (404). */
export async function listRunCommands(
  means: Means,
  caller: Caller,
  { runId, query }: RunCommandsWish,
): Promise<Page<store.RunCommandRow>> {
  const { id } = await means.runs.findVisible(caller, runId, 'run.read')
  return await pageOf(query, (window) => store.listCommandsOfRun(means.database.kysely, id, window))
}

export function presentRunCommand({ subjectName, command, ...row }: store.RunCommandRow): RunCommand {
  return { ...toWire(row), command: withoutValues(command), acted_as: subjectName }
}

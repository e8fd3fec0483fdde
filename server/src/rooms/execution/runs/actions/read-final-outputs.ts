import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type FinalOutputRow, findOutputStanding, listFinalOutputs } from '../store/final-outputs.ts'
import { findVisibleStatus } from './find-visible-run.ts'

/** The final outputs of a run that the caller may see, in the order of the document. Empty until the outputs are made. */
export async function readRunOutputs(means: Means, caller: Caller, id: string): Promise<FinalOutputRow[]> {
  const db = means.database.kysely
  const run = await findVisibleStatus(means, caller, id)
  return await listFinalOutputs(db, run.id)
}

/** One of them. 404 where there is none of the name, or none yet; the detail says which. */
export async function readRunOutput(means: Means, caller: Caller, id: string, name: string): Promise<FinalOutputRow> {
  const outputs = await readRunOutputs(means, caller, id)
  const found = outputs.find((output) => output.name === name)
  if (found) return found
  const standing = await findOutputStanding(means.database.kysely, id)
  const why = standing?.final_output_status === 'pending' ? ' yet' : ''
  const more = standing?.final_output_reason ? ` ${standing.final_output_reason}` : ''
  throw platformProblem('not_found', `The run has no final output ${name}${why}.${more}`)
}

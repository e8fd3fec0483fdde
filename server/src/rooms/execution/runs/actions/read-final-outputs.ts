import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { type FinalOutputRow, findOutputStanding, listFinalOutputs } from '../store/final-outputs.ts'
import { findVisibleStatus } from './find-visible-run.ts'

/** What was made of a run that the caller may see, in the order of the document. None while it is not made yet. */
export async function readRunOutputs(kit: Kit, caller: Caller, id: string): Promise<FinalOutputRow[]> {
  const db = kit.database.kysely
  const run = await findVisibleStatus(db, caller, id)
  return await listFinalOutputs(db, run.id)
}

/** One of them. 404 where there is none of the name, or none yet; the detail says which. */
export async function readRunOutput(kit: Kit, caller: Caller, id: string, name: string): Promise<FinalOutputRow> {
  const outputs = await readRunOutputs(kit, caller, id)
  const found = outputs.find((output) => output.name === name)
  if (found) return found
  const standing = await findOutputStanding(kit.database.kysely, id)
  const why = standing?.final_output_status === 'pending' ? ' yet' : ''
  const more = standing?.final_output_reason ? ` ${standing.final_output_reason}` : ''
  throw platformProblem('not_found', `The run has no final output ${name}${why}.${more}`)
}

import { describeError } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import { takeOver } from './take-over.ts'
import type { Workspace } from './workspaces.ts'

/** What containers left in a workspace belongs to whomever they ran as; afterwards to `owner`. A sentence on failure. */
export const takeOverFiles = async (
  { directory, contents }: Workspace,
  owner: Owner | undefined,
): Promise<string | undefined> => {
  if (!contents.foreign) return undefined
  try {
    if (owner === undefined) await contents.reclaim?.()
    else await takeOver(directory, owner)
    return undefined
  } catch (error) {
    return `The files that earlier tasks left in the workspace could not be taken over: ${describeError(error)}.`
  }
}

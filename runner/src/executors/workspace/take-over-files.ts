import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Trees } from '../../trees/trees.ts'
import type { Workspace } from './workspace.ts'
import { placesOf } from './workspace.ts'

/** Gives the files that containers left in a workspace to the run's account. Answers a sentence on failure. */
export async function takeOverFiles(
  trees: Trees,
  { directory, contents, owner }: Workspace,
): Promise<string | undefined> {
  if (!contents.foreign) return undefined
  try {
    if (owner === undefined) await contents.reclaim?.()
    else await trees.takeOver(directory, owner)
    return undefined
  } catch (error) {
    return `The files that earlier tasks left in the workspace could not be taken over: ${describeError(error)}.`
  }
}

export interface StripTools {
  readonly trees: Trees
  readonly log: Log
}

/**
 * After a container no file in the workspace may give its owner's rights to other users. A runner that is not root
 * leaves this to `takeOverFiles`, which every task on the host waits for.
 */
export async function stripRights({ trees, log }: StripTools, workspace: Workspace): Promise<void> {
  if (workspace.owner === undefined) return
  // Also the output file is the container's to make something of.
  for (const folder of placesOf(workspace).folders) {
    try {
      await trees.stripRights(folder)
    } catch (error) {
      log.warn('rights could not be taken from the files of a container', { folder, reason: describeError(error) })
    }
  }
}

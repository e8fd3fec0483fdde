import type { Assign } from '@signalbox/contracts/runner'
import type { CheckoutTools } from '../../checkout/checkout.ts'
import { checkOut } from '../../checkout/checkout.ts'
import { describeError } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import type { FetchedFiles, FilesTools } from '../../transfer/files.ts'
import { fetchFiles } from '../../transfer/files.ts'
import type { Workspace, Workspaces } from './workspaces.ts'

export type WorkspaceTools = {
  workspaces: Workspaces
  /** Who runs tasks on the host, when the runner is root. */
  owner: Owner | undefined
  checkout: CheckoutTools
  files: FilesTools
}

/**
 * Opens the workspace of an attempt and puts its commit there, unless an earlier task of the run has; then the files that
 * it asks for. `problem` is a
 * sentence. Never throws.
 */
export const prepareWorkspace = async (
  { workspaces, owner, checkout, files }: WorkspaceTools,
  assign: Assign,
  signal: AbortSignal,
  note: (sentence: string) => void,
): Promise<{ workspace: Workspace; fetched: FetchedFiles } | { problem: string }> => {
  const request = assign.checkout
  const prepare = async (directory: string): Promise<string | undefined> => {
    if (request === undefined) return undefined
    const seen: string[] = []
    const place = {
      directory,
      owner,
      signal,
      note: (sentence: string) => {
        seen.push(sentence)
        note(sentence)
      },
    }
    const problem = await checkOut(checkout, request, place)
    // git names neither the disk nor the folder.
    if (problem === undefined || !seen.some((sentence) => /no space left on device/i.test(sentence))) return problem
    return `${problem} The runner's disk is full: nothing more can be written to ${directory}.`
  }
  try {
    const opened = await workspaces.open(assign, prepare, signal)
    if ('problem' in opened) return opened
    const { workspace } = opened
    const fetched = await fetchFiles(files, assign, { directory: workspace.directory, signal, note })
    if (!('problem' in fetched)) return { workspace, fetched }
    await workspaces.release(workspace)
    return fetched
  } catch (error) {
    return { problem: `The workspace could not be made: ${describeError(error)}.` }
  }
}

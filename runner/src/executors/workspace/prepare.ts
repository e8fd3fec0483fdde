import type { Assign } from '@signalbox/contracts/runner'
import type { CheckoutTools } from '../../checkout/checkout.ts'
import { checkOut } from '../../checkout/checkout.ts'
import { describeError, fullDisk, isFullDisk } from '../../errors.ts'
import type { Owner, ProcessEnd } from '../../processes/running-process.ts'
import type { FetchedFiles, FilesTools } from '../../transfer/files.ts'
import { fetchFiles } from '../../transfer/files.ts'
import type { Trees } from '../../trees/trees.ts'
import type { Teller, Workspace } from './workspace.ts'
import type { Workspaces } from './workspaces.ts'

export interface WorkspaceTools {
  workspaces: Workspaces
  checkout: CheckoutTools
  files: FilesTools
  trees: Trees
}

// A line that begins with remote: is about the server's disk.
function isOwnDiskFull(sentence: string): boolean {
  return /^(?!remote:).*no space left on device/im.test(sentence)
}

const NO_COMMIT =
  'The task wants a checkout, and the control plane named no commit: nothing ran, so that no task works in an empty folder by mistake.'

export interface PreparedWorkspace {
  workspace: Workspace
  fetched: FetchedFiles
}

/**
 * Opens the workspace of an attempt and puts its commit there, unless an earlier task that shares it has. Then come the
 * files that the attempt asks for. Answers how the attempt ended where that fails. Never throws.
 */
export async function prepareWorkspace(
  tools: WorkspaceTools,
  assign: Assign,
  signal: AbortSignal,
  teller: Teller,
): Promise<PreparedWorkspace | { end: ProcessEnd }> {
  const { lives } = tools.checkout
  const livesBefore = lives()
  const prepared = await prepare(tools, assign, signal, teller)
  if (!('problem' in prepared)) return prepared
  // git was killed with the process that starts processes: that says nothing about the task.
  const isLost = lives() !== livesBefore
  return { end: { kind: isLost ? 'broken_off' : 'not_started', reason: prepared.problem } }
}

async function prepare(
  { workspaces, checkout, files }: WorkspaceTools,
  assign: Assign,
  signal: AbortSignal,
  teller: Teller,
): Promise<PreparedWorkspace | { problem: string }> {
  const note = (sentence: string) => teller.note(sentence)
  const request = assign.checkout
  const putCommit = async (directory: string, owner: Owner | undefined): Promise<string | undefined> => {
    if (request === undefined) return assign.noCheckout ? undefined : NO_COMMIT
    const seen: string[] = []
    const place = {
      directory,
      owner,
      scope: assign.scope,
      // Files of containers are given to other accounts, and with them each other name of the same file.
      mayLink: assign.container === undefined && assign.sharedWorkspace === undefined,
      signal,
      note: (sentence: string) => {
        seen.push(sentence)
        note(sentence)
      },
    }
    const problem = await checkOut(checkout, request, place)
    // git names neither the disk nor the folder.
    return problem === undefined || !seen.some(isOwnDiskFull) ? problem : `${problem} ${fullDisk(directory)}`
  }
  try {
    await workspaces.awaitSpace(teller, signal)
    const opened = await workspaces.open(assign, putCommit, signal)
    if ('problem' in opened) return opened
    const { workspace } = opened
    const fetched = await fetchFiles(files, assign, {
      directory: workspace.directory,
      owner: workspace.owner,
      signal,
      note,
    })
    if (!('problem' in fetched)) return { workspace, fetched }
    await workspaces.release(workspace)
    return fetched
  } catch (error) {
    const why = isFullDisk(error) ? fullDisk(workspaces.root) : `${describeError(error)}.`
    return { problem: `The workspace could not be made: ${why}` }
  }
}

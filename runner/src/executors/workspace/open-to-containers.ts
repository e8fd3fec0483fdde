import { closeSync, constants, fchmodSync, fchownSync, fstatSync, lstatSync, openSync } from 'node:fs'
import type { Owner } from '../../processes/running-process.ts'
import type { Trees } from '../../trees/trees.ts'
import { runAs } from './run-as.ts'
import type { Workspace } from './workspace.ts'

/**
 * Readies a workspace for being mounted. The engine looks for the folder as root, so no task on the host may put
 * something else in its place. The folders around it are therefore closed to the task user, but for passing through.
 * `everybody`: the container's user is neither root nor the task user, and writes there too. No other user of the
 * machine gets that far. Returns a sentence when something else lies there already.
 */
export async function openToContainers(
  trees: Trees,
  workspace: Workspace,
  everybody: boolean,
): Promise<string | undefined> {
  const { folder, directory, outputFile, owner, contents } = workspace
  if (owner !== undefined) {
    for (const each of new Set([folder, parentOf(directory)])) close(each, owner)
    if (everybody && contents.foreign) await trees.takeOver(directory, owner)
  } else if (everybody && contents.foreign) await contents.reclaim?.()
  contents.foreign = true
  if (!lstatSync(directory).isDirectory() || !openOutputFile(outputFile, owner)) {
    return 'The workspace was exchanged by a task on the host while this one was prepared.'
  }
  if (everybody) await runAs(owner, '/bin/chmod', ['-R', 'a+rwX', '--', directory])
  return undefined
}

function parentOf(directory: string): string {
  return directory.slice(0, directory.lastIndexOf('/'))
}

function close(folder: string, owner: Owner): void {
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchownSync(opened, process.getuid?.() ?? 0, owner.gid)
    fchmodSync(opened, 0o710)
  } finally {
    closeSync(opened)
  }
}

/** Opens the output file to the container's user. Returns whether it is the file that the runner made. */
function openOutputFile(path: string, owner: Owner | undefined): boolean {
  const opened = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(opened)
    if (!stat.isFile() || stat.nlink > 1 || (owner !== undefined && stat.uid !== owner.uid)) return false
    fchmodSync(opened, 0o666)
    return true
  } finally {
    closeSync(opened)
  }
}

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { create } from '@bufbuild/protobuf'
import type { Assign } from '@signalbox/contracts/runner'
import { AssignSchema } from '@signalbox/contracts/runner'
import type { Owner } from '../../processes/running-process.ts'
import { ManualTime } from '../../testing/manual-time.ts'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Trees } from '../../trees/trees.ts'
import { Folders } from './folders.ts'
import type { AccountPool } from './owned-folders.ts'
import { OwnedFolders } from './owned-folders.ts'
import type { Opened, Prepare, Workspace } from './workspace.ts'
import { Workspaces } from './workspaces.ts'

export const going = new AbortController().signal
export const nothing: Prepare = async () => undefined

export const assign = (init: MessageInitShape<typeof AssignSchema> = {}): Assign =>
  create(AssignSchema, { runId: 'r', step: 's', ...init })

/** An attempt in the workspace of its step; `begun`: not the first. */
export const sharing = (begun: boolean, runId = 'r'): Assign => assign({ runId, sharedWorkspace: { begun } })

export const workspaceOf = (opened: Opened): Workspace => {
  if ('problem' in opened) throw new Error(opened.problem)
  return opened.workspace
}

/** Empty folders go without the removal of trees. */
export const leaveFiles = ({ folder, directory }: Workspace): void => {
  for (const each of [folder, directory]) writeFileSync(join(each, 'left'), '')
}

/**
 * As many accounts as are asked for. The number of accounts counts: all folders may belong to the account that runs the
 * test.
 */
export const accountsOf = (count: number): AccountPool => {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const free: Owner[] = Array.from({ length: count }, () => ({ ...self }))
  return { take: async () => free.shift(), giveBack: (owner) => void free.push(owner) }
}

/** Removes trees as the test says. */
export class TreesThat extends Trees {
  override readonly remove: (path: string) => Promise<void>

  constructor(remove: (path: string) => Promise<void>) {
    super()
    this.remove = remove
  }
}

/** Workspaces in a temporary folder, where `remove` removes what is not empty. */
export const openWorkspaces = (
  remove: (path: string) => Promise<void>,
  accounts?: AccountPool,
  isShortOfSpace = () => false,
) => {
  const root = temporaryFolder()
  const time = new ManualTime()
  const setAside: string[] = []
  const stuck: unknown[] = []
  const folders = new Folders({
    root: root.path,
    ahead: 0,
    kept: 0,
    monotonic: () => 0,
    trees: new TreesThat(remove),
    setAside: (path) => void setAside.push(path),
  })
  const workspaces = new Workspaces({
    folders: new OwnedFolders({ folders, accounts, isShortOfSpace }),
    time,
    stuck: (_, error) => void stuck.push(error),
  })
  const list = () => readdirSync(root.path)
  return { workspaces, time, setAside, stuck, list, [Symbol.dispose]: () => root[Symbol.dispose]() }
}

import {
  chownSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describeError, systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import { removeTree } from './remove-tree.ts'

/** The folders of one attempt; all belong to the user that runs tasks. */
export type Workspace = {
  /** Holds the rest; removed with it. */
  readonly folder: string
  /** Where the task starts, its HOME. */
  readonly directory: string
  readonly outputFile: string
}

type Made = Workspace & { readonly stamps: readonly bigint[]; readonly madeAt: number }

// Coarser than any file system's clock: a change made later than this after the making shows in the change times.
const settleMs = 50

/**
 * Hands out workspaces that nobody has touched. Making and removing one costs as much as half a process start, so one
 * that its attempt left exactly as it was (no entry made, no attribute changed: the kernel's change times tell) serves
 * again; any other is removed. Workspaces are made ahead, so that an assignment does not wait for them.
 */
export class Workspaces {
  readonly #root: string
  readonly #owner: Owner | undefined
  #ahead: number
  readonly #monotonic: () => number
  readonly #ready: Made[] = []
  readonly #inUse = new Map<string, Made>()
  #number = 0

  constructor(root: string, owner: Owner | undefined, ahead: number, monotonic: () => number) {
    this.#root = root
    this.#owner = owner
    this.#ahead = ahead
    this.#monotonic = monotonic
    for (let count = 0; count < ahead; count++) this.#ready.push(this.#make())
  }

  /** Whether the folder of this name belongs to an attempt that runs. */
  isInUse(name: string): boolean {
    return this.#inUse.has(join(this.#root, name))
  }

  /** Throws the system's error where none can be made. */
  take(): Workspace {
    const made = this.#ready.pop() ?? this.#make()
    this.#inUse.set(made.folder, made)
    return made
  }

  async giveBack({ folder }: Workspace): Promise<void> {
    const made = this.#inUse.get(folder)
    if (made === undefined) return
    this.#inUse.delete(folder)
    const settled = this.#monotonic() - made.madeAt > settleMs
    if (settled && this.#ready.length < this.#ahead && untouched(made)) {
      this.#ready.push(made)
      return
    }
    await removeTree(folder, this.#owner)
    if (this.#ready.length < this.#ahead) this.#ready.unshift(this.#make())
  }

  /** Removes what was made ahead, so that a runner that leaves in order leaves nothing. What resists is left to the next. */
  [Symbol.dispose](): void {
    this.#ahead = 0
    for (const { folder, directory, outputFile } of this.#ready.splice(0)) {
      try {
        // By name and not as a tree: whatever lies there now, no link is followed.
        unlinkSync(outputFile)
        rmdirSync(directory)
        rmdirSync(folder)
      } catch (error) {
        if (systemCode(error) === undefined) throw error
      }
    }
  }

  #make(): Made {
    const folder = join(this.#root, String(++this.#number))
    const workspace = { folder, directory: join(folder, 'workspace'), outputFile: join(folder, 'outputs') }
    mkdirSync(folder, { mode: 0o700 })
    mkdirSync(workspace.directory, { mode: 0o755 })
    closeSync(openSync(workspace.outputFile, 'wx', 0o600))
    if (this.#owner !== undefined) {
      for (const path of [workspace.outputFile, workspace.directory, folder]) {
        chownSync(path, this.#owner.uid, this.#owner.gid)
      }
    }
    return { ...workspace, stamps: changeTimes(workspace), madeAt: this.#monotonic() }
  }
}

const changeTimes = ({ folder, directory, outputFile }: Workspace): bigint[] =>
  [folder, directory, outputFile].map(
    (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? -1n,
  )

const untouched = (made: Made): boolean => {
  const now = changeTimes(made)
  return made.stamps.every((stamp, index) => stamp === now[index])
}

/** More than this is not an output but an artifact. */
export const outputFileLimit = 6 * 1024 * 1024

export type OutputFile = { text: string } | { problem: string }

/**
 * Reads the output file. A task may have replaced it by anything: a link to a file that only the runner may read, a
 * pipe that blocks, gigabytes. Only a regular file that belongs to the task's user is read.
 */
export const readOutputFile = (path: string, owner: Owner | undefined): OutputFile => {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { text: '' }
    return { problem: `The output file cannot be read: ${systemCode(error) ?? describeError(error)}.` }
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return { problem: 'The output file is not a regular file.' }
    if (owner !== undefined && stat.uid !== owner.uid) return { problem: 'The output file belongs to another user.' }
    if (stat.size > outputFileLimit) return { problem: `The output file is larger than ${outputFileLimit} bytes.` }
    const bytes = Buffer.alloc(stat.size)
    let length = 0
    while (length < bytes.length) {
      const count = readSync(file, bytes, length, bytes.length - length, length)
      if (count === 0) break
      length += count
    }
    return { text: bytes.toString('utf8', 0, length) }
  } finally {
    closeSync(file)
  }
}

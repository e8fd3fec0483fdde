import { chownSync, closeSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import { removeTree } from './remove-tree.ts'

/** What an attempt, or the tasks of a run together, have to themselves; all belongs to the user that runs tasks. */
export type Folder = {
  /** Holds the rest; removed with it. */
  readonly folder: string
  readonly directory: string
  readonly outputFile: string
}

type Made = Folder & { readonly stamps: readonly bigint[]; readonly madeAt: number }

// Coarser than any file system's clock: a change made later than this after the making shows in the change times.
const settleMs = 50

/**
 * Hands out folders that nobody has touched. Making and removing one costs as much as half a process start, so one
 * that its holder left exactly as it was (no entry made, no attribute changed: the kernel's change times tell) serves
 * again; any other is removed. Folders are made ahead, so that an assignment does not wait for them.
 */
export class Folders {
  readonly #root: string
  readonly #owner: Owner | undefined
  #ahead: number
  readonly #monotonic: () => number
  readonly #ready: Made[] = []
  readonly #taken = new Map<string, Made>()
  #number = 0

  constructor(root: string, owner: Owner | undefined, ahead: number, monotonic: () => number) {
    this.#root = root
    this.#owner = owner
    this.#ahead = ahead
    this.#monotonic = monotonic
  }

  /** Makes some ahead. Throws the system's error where none can be made. */
  stock(): void {
    while (this.#ready.length < this.#ahead) this.#ready.push(this.#make())
  }

  /** Throws the system's error where none can be made. */
  take(): Folder {
    const made = this.#ready.pop() ?? this.#make()
    this.#taken.set(made.folder, made)
    return made
  }

  /** Throws the system's error where something stays; it can be tried again then. */
  async giveBack({ folder }: Folder): Promise<void> {
    const made = this.#taken.get(folder)
    if (made === undefined) return
    const settled = this.#monotonic() - made.madeAt > settleMs
    if (settled && this.#ready.length < this.#ahead && untouched(made)) {
      this.#taken.delete(folder)
      this.#ready.push(made)
      return
    }
    await removeTree(folder, this.#owner)
    this.#taken.delete(folder)
    if (this.#ready.length < this.#ahead) this.#makeAhead()
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

  /** The disk may be full; whoever needs one is told then. */
  #makeAhead(): void {
    try {
      this.#ready.unshift(this.#make())
    } catch (error) {
      if (systemCode(error) === undefined) throw error
    }
  }

  #make(): Made {
    const folder = this.#makeNumbered()
    const made = { folder, directory: join(folder, 'workspace'), outputFile: join(folder, 'outputs') }
    mkdirSync(made.directory, { mode: 0o755 })
    closeSync(openSync(made.outputFile, 'wx', 0o600))
    if (this.#owner !== undefined) {
      for (const path of [made.outputFile, made.directory, folder]) {
        chownSync(path, this.#owner.uid, this.#owner.gid)
      }
    }
    return { ...made, stamps: changeTimes(made), madeAt: this.#monotonic() }
  }

  /** What could not be removed keeps its number: nobody is given another's leftovers. */
  #makeNumbered(): string {
    for (;;) {
      const folder = join(this.#root, String(++this.#number))
      try {
        mkdirSync(folder, { mode: 0o700 })
        return folder
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error
      }
    }
  }
}

const changeTimes = ({ folder, directory, outputFile }: Folder): bigint[] =>
  [folder, directory, outputFile].map(
    (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? -1n,
  )

const untouched = (made: Made): boolean => {
  const now = changeTimes(made)
  return made.stamps.every((stamp, index) => stamp === now[index])
}

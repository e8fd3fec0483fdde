import { closeSync, lchownSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import type { Trees } from '../../trees/trees.ts'
import { TreeError } from '../../trees/trees.ts'

/** The folder of one attempt, or of the tasks that share a workspace. */
export interface Folder {
  /** The account that all of it belongs to; undefined where tasks run as the runner itself. */
  readonly owner: Owner | undefined
  /** Holds the rest; removed with it. */
  readonly folder: string
  readonly directory: string
  readonly outputFile: string
}

/** Where the task of an attempt with this folder puts temporary files: made and removed with it. */
export function temporaryFolderOf(folder: string): string {
  return join(folder, 'tmp')
}

/** Everything that is made in a folder, and the folder itself; the inner ones come first. */
function partsOf({ folder, directory, outputFile }: Omit<Folder, 'owner'>): readonly string[] {
  return [outputFile, directory, temporaryFolderOf(folder), folder]
}

/** `stampedAt`: since when nothing but its holder has changed it. */
type Made = Folder & { readonly stamps: readonly bigint[]; readonly stampedAt: number }

// Coarser than any file system's clock: a change made later than this after the making shows in the change times.
const SETTLE_MS = 50

export interface FoldersOptions {
  readonly root: string
  /** How many are made ahead. */
  readonly ahead: number
  /** How many folders are kept for the accounts that had them before. */
  readonly kept: number
  readonly monotonic: () => number
  readonly trees: Trees
  /** Takes what cannot be removed. Throws the system's error. */
  readonly setAside: (path: string) => void
}

/**
 * Hands out folders that nobody has touched. Making and removing a folder costs as much as half a process start. So a
 * folder that a task left exactly as it was serves again. The kernel's change times show that no entry was made and no
 * attribute changed. Any other folder is removed. Folders are made ahead, so that an assignment does not wait for them.
 */
export class Folders {
  readonly #options: FoldersOptions
  #kept: number
  readonly #ready: Made[] = []
  readonly #taken = new Map<string, Made>()
  #number = 0

  constructor(options: FoldersOptions) {
    this.#options = options
    this.#kept = options.kept
  }

  get root(): string {
    return this.#options.root
  }

  /** Makes some ahead. Throws the system's error where none can be made. */
  stock(): void {
    while (this.#ready.length < this.#options.ahead) this.#ready.push(this.#make())
  }

  /**
   * Makes a folder ready for an account that nothing runs as, unless the account has one. The folder's change times are
   * then old enough when a task gets it. So the folder serves again even after a task of a few milliseconds.
   */
  stockFor(owner: Owner): void {
    if (this.#ready.length >= this.#kept || this.#ready.some((made) => made.owner?.uid === owner.uid)) return
    try {
      this.#ready.push(this.#give(this.#pick(undefined), owner))
    } catch (error) {
      // The disk may be full; the attempt that needs a folder is told then.
      if (systemCode(error) === undefined) throw error
    }
  }

  /** Throws the system's error where none can be made. */
  take(owner: Owner | undefined): Folder {
    const made = this.#give(this.#pick(owner), owner)
    this.#taken.set(made.folder, made)
    return made
  }

  /**
   * Picks a folder that was the account's before, the oldest first. A folder of another account is never picked,
   * because that account could still have it open. The change times also show what the account did since the folder
   * came back: the account may serve another team by now.
   */
  #pick(owner: Owner | undefined): Made {
    for (;;) {
      const own = this.#ready.findIndex((made) => made.owner?.uid === owner?.uid)
      const at = own === -1 ? this.#ready.findIndex((made) => made.owner === undefined) : own
      const [made] = at === -1 ? [] : this.#ready.splice(at, 1)
      if (made === undefined) return this.#make()
      if (untouched(made)) return made
      void this.#discard(made)
    }
  }

  async #discard({ folder }: Made): Promise<void> {
    try {
      await this.#options.trees.remove(folder)
    } catch (error) {
      // The next start removes it.
      if (systemCode(error) === undefined && !(error instanceof TreeError)) throw error
    }
  }

  #give(made: Made, owner: Owner | undefined): Made {
    if (owner === undefined || made.owner?.uid === owner.uid) return made
    for (const path of partsOf(made)) lchownSync(path, owner.uid, owner.gid)
    return { ...made, owner, stamps: changeTimes(made), stampedAt: this.#options.monotonic() }
  }

  /** Throws the system's error where something stays; it can be tried again then. */
  async giveBack({ folder }: Folder): Promise<void> {
    const made = this.#taken.get(folder)
    if (made === undefined) return
    const settled = this.#options.monotonic() - made.stampedAt > SETTLE_MS
    if (settled && this.#ready.length < this.#kept && untouched(made)) {
      this.#taken.delete(folder)
      this.#ready.push(made)
      return
    }
    if (!removeEmpty(made)) await this.#options.trees.remove(folder)
    this.#taken.delete(folder)
    if (this.#ready.length < this.#kept) this.#makeAhead()
  }

  /** Sets aside a folder that could not be given back, so that no task waits for it. Throws the system's error. */
  abandon({ folder }: Folder): void {
    this.#taken.delete(folder)
    this.#options.setAside(folder)
  }

  /**
   * Removes the folders that were made ahead, so that a runner that leaves in order leaves nothing. The next start
   * removes what resists.
   */
  [Symbol.dispose](): void {
    this.#kept = 0
    for (const made of this.#ready.splice(0)) removeEmpty(made)
  }

  /**
   * The folder is closed to every account until somebody takes it: a change at the very moment of the stamps would not
   * show. The disk may be full; the attempt that needs a folder is told then.
   */
  #makeAhead(): void {
    try {
      this.#ready.push(this.#make())
    } catch (error) {
      if (systemCode(error) === undefined) throw error
    }
  }

  #make(): Made {
    const folder = this.#makeNumbered()
    const made = {
      owner: undefined,
      folder,
      directory: join(folder, 'workspace'),
      outputFile: join(folder, 'outputs'),
    }
    mkdirSync(made.directory, { mode: 0o755 })
    mkdirSync(temporaryFolderOf(folder), { mode: 0o700 })
    closeSync(openSync(made.outputFile, 'wx', 0o600))
    return { ...made, stamps: changeTimes(made), stampedAt: this.#options.monotonic() }
  }

  /** A folder that could not be removed keeps its number, so that nobody is given another's leftovers. */
  #makeNumbered(): string {
    for (;;) {
      const folder = join(this.#options.root, String(++this.#number))
      try {
        mkdirSync(folder, { mode: 0o700 })
        return folder
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error
      }
    }
  }
}

/**
 * Removes a folder in which a task left nothing, as most do, without the way through another thread. By name and not as a
 * tree: whatever lies there now, no link is followed. Answers whether it is gone.
 */
function removeEmpty({ folder, directory, outputFile }: Folder): boolean {
  try {
    rmdirSync(directory)
    rmdirSync(temporaryFolderOf(folder))
    unlinkSync(outputFile)
    rmdirSync(folder)
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

function changeTimes(made: Omit<Folder, 'owner'>): bigint[] {
  return partsOf(made).map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? -1n)
}

function untouched(made: Made): boolean {
  const now = changeTimes(made)
  return made.stamps.every((stamp, index) => stamp === now[index])
}

import type { Owner } from '../../processes/running-process.ts'
import { untilAborted } from '../../time/index.ts'
import type { Folder, Folders } from './folders.ts'

/** Accounts for tasks, when the runner is root. */
export interface AccountPool {
  /** Undefined where none is free. */
  take(): Promise<Owner | undefined>
  giveBack(owner: Owner): void
}

/** Makes files removable that the runner itself may not remove. */
export type Reclaim = (() => Promise<void>) | undefined

export interface OwnedFoldersOptions {
  readonly folders: Folders
  readonly accounts: AccountPool | undefined
  /** Whether the disk that holds this folder is nearly full. */
  readonly isShortOfSpace: (folder: string) => boolean
}

/**
 * Folders for tasks, each with an account of its own where the runner is root. The account serves again only after
 * everything that belongs to it is removed.
 */
export class OwnedFolders {
  readonly #options: OwnedFoldersOptions
  /** Each ends when a folder is gone, or is known to stay. No removal rejects. */
  readonly #removals = new Set<Promise<void>>()
  /** Accounts with a folder that could not be removed: no task may get them again. */
  readonly #spoiled = new Set<number>()

  constructor(options: OwnedFoldersOptions) {
    this.#options = options
  }

  get root(): string {
    return this.#options.folders.root
  }

  /**
   * Waits for the removals that are under way now, as long as the disk is nearly full: what they free may be what the next
   * task needs. `begins` is called where there is something to wait for.
   */
  async awaitSpace(signal: AbortSignal, begins: () => void): Promise<void> {
    const pending = [...this.#removals]
    if (pending.length === 0 || !this.#isShortOfSpace()) return
    begins()
    for (const removal of pending) {
      await Promise.race([removal, untilAborted(signal)])
      if (signal.aborted || !this.#isShortOfSpace()) return
    }
  }

  #isShortOfSpace(): boolean {
    return this.#options.isShortOfSpace(this.root)
  }

  /** Undefined where no account is free. Throws the system's error where no folder can be made. */
  async take(): Promise<Folder | undefined> {
    const { folders, accounts } = this.#options
    if (accounts === undefined) return folders.take(undefined)
    for (;;) {
      const owner = await accounts.take()
      if (owner === undefined) {
        if (this.#removals.size === 0) return undefined
        await Promise.race(this.#removals)
        continue
      }
      try {
        return folders.take(owner)
      } catch (error) {
        accounts.giveBack(owner)
        throw error
      }
    }
  }

  /** Another folder for the account of this one. Throws the system's error where none can be made. */
  takeBeside({ owner }: Folder): Folder {
    return this.#options.folders.take(owner)
  }

  /** Removes the last folder of an account, and gives the account back. Rejects where the folder is set aside instead. */
  remove(folder: Folder, reclaim: Reclaim): Promise<void> {
    return this.#track(async () => {
      await this.#giveBack(folder, reclaim)
      const { owner } = folder
      if (owner !== undefined && !this.#spoiled.has(owner.uid)) this.#options.accounts?.giveBack(owner)
    })
  }

  /** Removes one of several folders of an account. Rejects where it is set aside instead. */
  removeBeside(folder: Folder): Promise<void> {
    return this.#track(() => this.#giveBack(folder, undefined))
  }

  async #track(work: () => Promise<void>): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    this.#removals.add(over)
    try {
      await work()
    } finally {
      this.#removals.delete(over)
      resolve()
    }
  }

  /** A folder that cannot be removed at all is set aside: the removal is tried again later, and nobody waits for it. */
  async #giveBack(folder: Folder, reclaim: Reclaim): Promise<void> {
    const { folders } = this.#options
    try {
      await folders.giveBack(folder)
    } catch (first) {
      try {
        if (reclaim === undefined) throw first
        await reclaim()
        await folders.giveBack(folder)
      } catch (error) {
        if (folder.owner !== undefined) this.#spoiled.add(folder.owner.uid)
        folders.abandon(folder)
        throw error
      }
    }
  }
}

export const NO_ACCOUNT = 'No account is free to run this task as; --task-uids gives the runner more.'

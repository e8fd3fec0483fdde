import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '../processes/running-process.ts'
import type { Trees } from '../trees/trees.ts'

export type FetchApartOptions = {
  /** Where workspaces lie. */
  readonly root: string
  /** Undefined where none is free. */
  readonly takeAccount: () => Promise<Owner | undefined>
  readonly trees: Pick<Trees, 'remove' | 'takeOver'>
}

/** A folder for one fetch. */
export type FetchPlace = AsyncDisposable & {
  readonly directory: string
  readonly owner: Owner
  /** Puts what was fetched in place of an empty folder, and gives it to that folder's owner. Throws the system's error. */
  handOver(directory: string, owner: Owner): Promise<void>
}

/**
 * Where a root runner fetches what needs a credential. Git has the credential in its environment, which every process of
 * the same account can read. So it fetches as an account that no task ever has, into a folder that no task can enter.
 */
export class FetchApart {
  readonly #options: FetchApartOptions
  #account: Promise<Owner | undefined> | undefined

  constructor(options: FetchApartOptions) {
    this.#options = options
  }

  /** Undefined where no account is free. Throws the system's error where no folder can be made. */
  async open(): Promise<FetchPlace | undefined> {
    const { root, takeAccount, trees } = this.#options
    this.#account ??= takeAccount()
    const owner = await this.#account
    if (owner === undefined) {
      this.#account = undefined
      return undefined
    }
    const directory = join(root, `fetch-${randomUUID()}`)
    mkdirSync(directory, { mode: 0o700 })
    chownSync(directory, owner.uid, owner.gid)
    return {
      directory,
      owner,
      async handOver(target, heir) {
        await trees.takeOver(directory, heir)
        chmodSync(directory, 0o755)
        // It takes the place of an empty folder only: of nothing that a task of the run put there, and of no link.
        renameSync(directory, target)
      },
      [Symbol.asyncDispose]: () => trees.remove(directory),
    }
  }
}

import { randomUUID } from 'node:crypto'
import { mkdirSync, opendirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, systemCode } from '../../errors.ts'
import type { Trees } from '../../trees/trees.ts'

export interface TrashOptions {
  /** Lies where workspaces do, so that a folder gets there by a rename. Made when it is needed. */
  readonly folder: string
  readonly trees: Trees
  /** Something in it cannot be removed; told once for each. */
  readonly stuck: (path: string, reason: string) => void
}

/** Workspaces that are nobody's any more and are not removed yet: nobody waits for them, and no number is taken by them. */
export class Trash implements Disposable {
  readonly #options: TrashOptions
  readonly #told = new Set<string>()
  #emptying: Promise<void> | undefined
  #closed = false

  constructor(options: TrashOptions) {
    this.#options = options
  }

  /** Throws the system's error. */
  setAside(path: string): void {
    const { folder } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    renameSync(path, join(folder, randomUUID()))
  }

  /** Removes what is there, one after another. Never throws: what resists stays for the next time. */
  empty(): Promise<void> {
    this.#emptying ??= this.#removeAll().finally(() => {
      this.#emptying = undefined
    })
    return this.#emptying
  }

  /** The next start removes the rest. */
  [Symbol.dispose](): void {
    this.#closed = true
  }

  async #removeAll(): Promise<void> {
    const { folder, trees } = this.#options
    for (const name of namesIn(folder)) {
      if (this.#closed) return
      const path = join(folder, name)
      try {
        await trees.remove(path)
      } catch (error) {
        if (!this.#closed) this.#tell(path, describeError(error))
      }
    }
    try {
      rmdirSync(folder)
    } catch (error) {
      // Something stays, or came meanwhile.
      if (systemCode(error) === undefined) throw error
    }
  }

  #tell(path: string, reason: string): void {
    if (this.#told.has(path)) return
    this.#told.add(path)
    this.#options.stuck(path, reason)
  }
}

/** The names in a folder, one at a time; none where there is no such folder. */
export function* namesIn(folder: string): Generator<string, void> {
  let listing: ReturnType<typeof opendirSync>
  try {
    listing = opendirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) yield entry.name
  } finally {
    listing.closeSync()
  }
}

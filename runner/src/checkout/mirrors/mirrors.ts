import { createHash, randomUUID } from 'node:crypto'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '../../processes/running-process.ts'
import { untilAborted } from '../../time/index.ts'
import type { Trees } from '../../trees/trees.ts'

/** A bare repository on this runner, for one address, one credential and one scope. */
export interface Mirror {
  readonly directory: string
  /** The account that owns the mirror, which no task has. Undefined where git runs as the runner itself. */
  readonly owner: Owner | undefined
  /** Fetched commits, by the id that was asked for. */
  readonly commits: Map<string, MirroredCommit>
  /** Whether its repository was made. */
  begun: boolean
  bytes: number
  /** Nothing more is to be read from it. */
  spoilt: boolean
}

export interface MirroredCommit {
  readonly commit: string
  /** The commit of the base for a merge. */
  readonly base: string | undefined
  /** Lines of `packed-refs`. */
  readonly tags: string
  /** Where its history ends, as the file `shallow` of Git has it. */
  readonly shallow: string
}

export interface MirrorsOptions {
  /** A folder of the runner's own, on the file system of the workspaces. */
  readonly root: string
  /** The space of the disk that all mirrors may take together. */
  readonly limitBytes: number
  /** Undefined where git runs as the runner itself; answers undefined where no account is free. */
  readonly takeAccount: (() => Promise<Owner | undefined>) | undefined
  readonly trees: Trees
  readonly stuck: (folder: string, error: unknown) => void
}

interface Shelf {
  mirror: Mirror | undefined
  users: number
  last: Promise<unknown>
}

/** A mirror holds only what one credential gave to one scope for one address. Everybody else has another mirror. */
export function mirrorKey(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/**
 * The mirrors of repositories on this runner. Each is used by one checkout at a time, so that two that want the same commit
 * fetch it once. The least recently used go where all of them take too much of the disk. No mirror outlives its runner.
 */
export class Mirrors implements AsyncDisposable {
  readonly #options: MirrorsOptions
  /** The least recently used first. */
  readonly #shelves = new Map<string, Shelf>()
  #account: Promise<Owner | undefined> | undefined

  constructor(options: MirrorsOptions) {
    this.#options = options
  }

  /**
   * Calls `work` with the mirror, once no other caller has its turn. Answers undefined where the signal ended the wait,
   * or no account is free. Throws what `work` throws, or the system's error where no folder can be made.
   */
  async use<T>(key: string, signal: AbortSignal, work: (mirror: Mirror) => Promise<T>): Promise<T | undefined> {
    const shelf = this.#shelves.get(key) ?? { mirror: undefined, users: 0, last: Promise.resolve() }
    this.#shelves.delete(key)
    this.#shelves.set(key, shelf)
    const before = shelf.last
    const { promise: own, resolve: leave } = Promise.withResolvers<void>()
    shelf.last = Promise.all([before, own])
    shelf.users++
    try {
      await Promise.race([before, untilAborted(signal)])
      if (signal.aborted) return undefined
      const mirror = await this.#mirrorOn(shelf)
      return mirror === undefined ? undefined : await work(mirror)
    } finally {
      leave()
      shelf.users--
      await this.#sweep()
    }
  }

  /** Removes all of them. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const shelf of this.#shelves.values()) await this.#clear(shelf)
  }

  async #mirrorOn(shelf: Shelf): Promise<Mirror | undefined> {
    if (shelf.mirror?.spoilt) await this.#clear(shelf)
    if (shelf.mirror !== undefined) return shelf.mirror
    const { root, takeAccount } = this.#options
    this.#account ??= takeAccount?.()
    const owner = await this.#account
    if (owner === undefined && takeAccount !== undefined) {
      this.#account = undefined
      return undefined
    }
    const directory = join(root, `mirror-${randomUUID()}`)
    mkdirSync(directory, { mode: 0o700 })
    shelf.mirror = { directory, owner, commits: new Map(), begun: false, bytes: 0, spoilt: false }
    if (owner !== undefined) chownSync(directory, owner.uid, owner.gid)
    return shelf.mirror
  }

  async #sweep(): Promise<void> {
    const { limitBytes } = this.#options
    let total = 0
    for (const { mirror } of this.#shelves.values()) total += mirror?.bytes ?? 0
    for (const [key, shelf] of this.#shelves) {
      if (shelf.users > 0) continue
      const { mirror } = shelf
      if (mirror !== undefined && !mirror.spoilt && total <= limitBytes) continue
      total -= mirror?.bytes ?? 0
      this.#shelves.delete(key)
      await this.#clear(shelf)
    }
  }

  async #clear(shelf: Shelf): Promise<void> {
    const { mirror } = shelf
    shelf.mirror = undefined
    if (mirror === undefined) return
    try {
      await this.#options.trees.remove(mirror.directory)
    } catch (error) {
      // The next start removes it.
      this.#options.stuck(mirror.directory, error)
    }
  }
}

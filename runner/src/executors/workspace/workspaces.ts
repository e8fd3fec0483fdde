import { basename, dirname } from 'node:path'
import type { Assign } from '@signalbox/contracts/runner'
import { describeError, fullDisk, isFullDisk } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import type { Time, Timer } from '../../time/index.ts'
import { stoppedEarly } from '../executor.ts'
import type { Folder, Folders } from './folders.ts'

/** The folders of one attempt. */
export type Workspace = {
  /** The attempt's alone; holds its output file. */
  readonly folder: string
  /** Where the task starts; perhaps shared with other tasks of the run. */
  readonly directory: string
  readonly outputFile: string
  /** Of the run, on this runner; undefined where tasks run as the runner itself. */
  readonly owner: Owner | undefined
  /** Of `directory`, and so of all that share it. */
  readonly contents: Contents
}

/** Where its files lie, and everything that its task may write to. */
export const placesOf = ({
  folder,
  directory,
  owner,
}: Workspace): { directory: string; folders: string[]; owner: Owner | undefined } => ({
  owner,
  directory,
  folders: [...new Set([folder, dirname(directory)])],
})

export type Contents = {
  /** Files may belong to other users than the one that runs tasks on the host. */
  foreign: boolean
  /** Gives them to that user, where the runner itself may not: whoever made them does it. */
  reclaim: (() => Promise<void>) | undefined
}

// A runner that is asked to leave does so within the time that service managers give.
const leaveMs = 10_000

const untouched = (): Contents => ({ foreign: false, reclaim: undefined })

/** Empty: not begun. Resolves with what went wrong, or with undefined when tasks may start. */
type Preparation = Promise<string | undefined> | undefined

/** What tasks of one run have in common on this runner: an account, for as long as any folder of it is there. */
type Tenancy = {
  readonly runId: string
  readonly owner: Owner | undefined
  folders: number
  /** Those of the folders that are being removed. */
  leaving: number
  /** Attempts that have a folder and are not yet among those that are open. */
  entering: number
  /** Everything of the account is being killed: nothing of it may begin meanwhile. */
  quiet: Promise<void> | undefined
}

/** A folder that the tasks of one run use, on this runner. */
type Place = {
  readonly folder: Folder
  readonly tenancy: Tenancy
  preparation: Preparation
  users: number
  readonly contents: Contents
  /** Nobody comes any more: it goes with its last user. */
  closed: boolean
  idle: Timer | undefined
}

/** Accounts for runs, when the runner is root. */
export type AccountPool = {
  /** Undefined where none is free. */
  take(): Promise<Owner | undefined>
  giveBack(owner: Owner): void
}

export type WorkspacesOptions = {
  folders: Folders
  accounts: AccountPool | undefined
  time: Time
  /** A place that nobody has used for so long goes, in case nobody says that its run is over. */
  idleMs: number
  /** Something could not be removed. */
  stuck: (folder: string, error: unknown) => void
}

export type Opened = { workspace: Workspace } | { problem: string }

/**
 * Gives each attempt its workspace. Tasks of a run that ask for the same commit (or for none) share one, which the
 * first of them prepares and which the later ones find as it was left; an attempt that is to have one of its own gets
 * an empty one.
 */
export class Workspaces implements AsyncDisposable {
  readonly #options: WorkspacesOptions
  readonly #places = new Map<string, Place>()
  readonly #tenancies = new Map<string, Promise<Tenancy | undefined>>()
  readonly #open = new Map<Workspace, { own: Folder; place: Place | undefined; tenancy: Tenancy }>()
  /** Folders on their way out, each until it is gone or is known to stay. None of these rejects. */
  readonly #removals = new Map<Promise<void>, Tenancy>()

  constructor(options: WorkspacesOptions) {
    this.#options = options
  }

  /** Where all of them lie. */
  get root(): string {
    return this.#options.folders.root
  }

  /** Whether the folder of this name belongs to an attempt that runs, beside `except`. */
  isInUse(name: string, except?: Workspace): boolean {
    for (const [workspace, { own, place }] of this.#open) {
      if (workspace === except) continue
      if (basename(own.folder) === name || (place !== undefined && basename(place.folder.folder) === name)) return true
    }
    return false
  }

  /** Does `work` while nothing else of the account is under way or begins; not at all where something is. */
  async whileAlone(workspace: Workspace, work: () => Promise<void>): Promise<void> {
    const tenancy = this.#open.get(workspace)?.tenancy
    if (tenancy === undefined || tenancy.entering > 0) return
    for (const [other, opened] of this.#open) if (other !== workspace && opened.tenancy === tenancy) return
    tenancy.quiet = work()
    await tenancy.quiet
    tenancy.quiet = undefined
  }

  /**
   * Opens the workspace of an attempt. `prepare` brings an empty directory to where tasks may start, once for all that
   * share it: others wait for whoever came first, and try for themselves where that one failed. Throws the system's
   * error where no folder can be made.
   */
  async open(
    assign: Assign,
    prepare: (directory: string, owner: Owner | undefined) => Promise<string | undefined>,
    signal: AbortSignal,
  ): Promise<Opened> {
    const settledIn = await this.#settle(assign.runId)
    if (settledIn === undefined) return { problem: noAccount }
    const { tenancy, own } = settledIn
    tenancy.entering--
    if (assign.ownWorkspace) {
      const workspace = this.#enter(tenancy, own, undefined)
      const problem = await settled(prepare(own.directory, own.owner), own.directory)
      return problem === undefined ? { workspace } : await this.#refuse(workspace, problem)
    }
    for (;;) {
      const place = this.#placeOf(assign, tenancy, own)
      const workspace = this.#enter(tenancy, own, place)
      const first = place.preparation === undefined
      const { directory, owner } = place.folder
      place.preparation ??= settled(prepare(directory, owner), directory)
      const problem = await (first ? place.preparation : unlessStopped(place.preparation, signal))
      if (problem === undefined) return { workspace }
      if (first) this.#spoil(place)
      if (first || signal.aborted) return await this.#refuse(workspace, problem)
      this.#open.delete(workspace)
      await this.#leave(place)
    }
  }

  /** The attempt has ended: what it had to itself goes, and what it shared stays. */
  async release(workspace: Workspace): Promise<void> {
    const opened = this.#open.get(workspace)
    if (opened === undefined) return
    this.#open.delete(workspace)
    const { own, place, tenancy } = opened
    if (place === undefined) {
      await this.#giveBack(tenancy, own, workspace.contents)
      return
    }
    await this.#leave(place)
    await this.#giveBack(tenancy, own, untouched())
  }

  /** The runs of which something is kept for attempts that may yet come. */
  runs(): string[] {
    return [...new Set([...this.#places.values()].map(({ tenancy }) => tenancy.runId))]
  }

  /** No attempt of this run comes any more. */
  async runOver(runId: string): Promise<void> {
    const places = [...this.#places.values()].filter((place) => place.tenancy.runId === runId)
    await Promise.all(places.map((place) => this.#close(place)))
  }

  /** Whoever still uses a place takes it along at his end. What takes long to remove is left to the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    const removed = Promise.all([...this.#places.values()].map((place) => this.#closeIdle(place)))
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = this.#options.time.after(leaveMs, resolve)
    await Promise.race([removed, late])
    timer.stop()
  }

  /**
   * The run's tenancy, with the first folder of another attempt, so that it stays. Undefined where no account is free.
   * Throws the system's error where no folder can be made.
   */
  async #settle(runId: string): Promise<{ tenancy: Tenancy; own: Folder } | undefined> {
    for (;;) {
      const known = this.#tenancies.get(runId) ?? this.#admit(runId)
      this.#tenancies.set(runId, known)
      const tenancy = await known
      if (tenancy === undefined) {
        if (this.#tenancies.get(runId) === known) this.#tenancies.delete(runId)
        return undefined
      }
      await tenancy.quiet
      // It may have ended while this attempt waited.
      if (this.#tenancies.get(runId) !== known || tenancy.quiet !== undefined) continue
      const own = this.#take(tenancy)
      tenancy.entering++
      return { tenancy, own }
    }
  }

  async #admit(runId: string): Promise<Tenancy | undefined> {
    const { accounts } = this.#options
    const fresh = { runId, folders: 0, leaving: 0, entering: 0, quiet: undefined }
    if (accounts === undefined) return { ...fresh, owner: undefined }
    for (;;) {
      const owner = await accounts.take()
      if (owner !== undefined) return { ...fresh, owner }
      if (this.#isAnyEnding()) {
        await Promise.race(this.#removals.keys())
        continue
      }
      // Places are in the order in which they were made.
      const idle = [...this.#places.values()].find(({ tenancy }) => !this.#isBusy(tenancy))?.tenancy
      if (idle === undefined) return undefined
      for (const place of this.#places.values()) if (place.tenancy === idle) await this.#closeIdle(place)
    }
  }

  /** Whether an account comes back as soon as the last folders of its run are removed. */
  #isAnyEnding(): boolean {
    return this.#removals.values().some(({ folders, leaving }) => folders === leaving)
  }

  /** Whether anything of the run is under way here. */
  #isBusy(tenancy: Tenancy): boolean {
    return tenancy.entering > 0 || this.#open.values().some((opened) => opened.tenancy === tenancy)
  }

  #take(tenancy: Tenancy): Folder {
    tenancy.folders++
    try {
      return this.#options.folders.take(tenancy.owner)
    } catch (error) {
      this.#vacate(tenancy)
      throw error
    }
  }

  /** With its last folder a run gives back its account. */
  #vacate(tenancy: Tenancy): void {
    tenancy.folders--
    if (tenancy.folders > 0) return
    this.#tenancies.delete(tenancy.runId)
    if (tenancy.owner !== undefined) this.#options.accounts?.giveBack(tenancy.owner)
  }

  #enter(tenancy: Tenancy, own: Folder, place: Place | undefined): Workspace {
    const { folder, outputFile, owner } = own
    const { directory } = place?.folder ?? own
    const workspace: Workspace = { folder, directory, outputFile, owner, contents: place?.contents ?? untouched() }
    this.#open.set(workspace, { own, place, tenancy })
    if (place !== undefined) {
      place.users++
      place.idle?.stop()
    }
    return workspace
  }

  #placeOf(assign: Assign, tenancy: Tenancy, own: Folder): Place {
    const key = placeKey(assign)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    let folder: Folder
    try {
      folder = this.#take(tenancy)
    } catch (error) {
      this.#give(tenancy, own)
      throw error
    }
    const contents = untouched()
    const place = { folder, tenancy, preparation: undefined, users: 0, contents, closed: false, idle: undefined }
    this.#places.set(key, place)
    return place
  }

  async #refuse(workspace: Workspace, problem: string): Promise<Opened> {
    await this.release(workspace)
    return { problem }
  }

  /** What was begun in it is no start for anybody else. */
  #spoil(place: Place): void {
    place.closed = true
    this.#forget(place)
  }

  async #leave(place: Place): Promise<void> {
    place.users--
    if (place.users > 0) return
    if (place.closed) await this.#giveBack(place.tenancy, place.folder, place.contents)
    else place.idle = this.#options.time.after(this.#options.idleMs, () => void this.#closeIdle(place))
  }

  async #closeIdle(place: Place): Promise<void> {
    try {
      await this.#close(place)
    } catch (error) {
      this.#options.stuck(place.folder.folder, error)
    }
  }

  async #close(place: Place): Promise<void> {
    place.idle?.stop()
    place.closed = true
    this.#forget(place)
    if (place.users === 0) await this.#giveBack(place.tenancy, place.folder, place.contents)
  }

  /** What cannot be removed keeps the account: nobody else is to own it. */
  async #giveBack(tenancy: Tenancy, folder: Folder, contents: Contents): Promise<void> {
    const { folders } = this.#options
    const { promise: over, resolve } = Promise.withResolvers<void>()
    tenancy.leaving++
    this.#removals.set(over, tenancy)
    try {
      await folders.giveBack(folder).catch((error: unknown) => this.#giveBackAgain(folder, contents.reclaim, error))
      this.#vacate(tenancy)
    } finally {
      tenancy.leaving--
      this.#removals.delete(over)
      resolve()
    }
  }

  /** What cannot be removed at all is set aside: it is tried again later, and nobody waits for it. */
  async #giveBackAgain(folder: Folder, reclaim: Contents['reclaim'], first: unknown): Promise<void> {
    const { folders } = this.#options
    try {
      if (reclaim === undefined) throw first
      await reclaim()
      await folders.giveBack(folder)
    } catch (error) {
      folders.abandon(folder)
      throw error
    }
  }

  #forget(place: Place): void {
    for (const [key, each] of this.#places) if (each === place) this.#places.delete(key)
  }

  #give(tenancy: Tenancy, folder: Folder): void {
    this.#giveBack(tenancy, folder, untouched()).catch((error: unknown) => this.#options.stuck(folder.folder, error))
  }
}

const placeKey = ({ runId, checkout }: Assign): string =>
  checkout === undefined ? runId : [runId, checkout.cloneUrl, checkout.commitSha].join('\n')

const noAccount = 'No account is free to run this task as; --task-uids gives the runner more.'

const settled = (preparation: Promise<string | undefined>, directory: string): Promise<string | undefined> =>
  preparation.catch((error: unknown) => {
    const why = isFullDisk(error) ? fullDisk(directory) : `${describeError(error)}.`
    return `The workspace could not be prepared: ${why}`
  })

/** The preparation's answer, or that this attempt was stopped while it waited for somebody else's. */
const unlessStopped = (preparation: Promise<string | undefined>, signal: AbortSignal): Promise<string | undefined> => {
  const stop = new Promise<string>((resolve) => {
    if (signal.aborted) resolve(stoppedEarly)
    signal.addEventListener('abort', () => resolve(stoppedEarly), { once: true })
  })
  return Promise.race([preparation, stop])
}

import { basename } from 'node:path'
import type { Assign } from '@signalbox/contracts/runner'
import { describeError } from '../../errors.ts'
import type { Time, Timer } from '../../time/index.ts'
import type { Folder, Folders } from './folders.ts'

/** The folders of one attempt. */
export type Workspace = {
  /** The attempt's alone; holds its output file. */
  readonly folder: string
  /** Where the task starts; perhaps shared with other tasks of the run. */
  readonly directory: string
  readonly outputFile: string
  /** Of `directory`, and so of all that share it. */
  readonly contents: Contents
}

export type Contents = {
  /** Files may belong to other users than the one that runs tasks on the host. */
  foreign: boolean
  /** Gives them to that user, where the runner itself may not: whoever made them does it. */
  reclaim: (() => Promise<void>) | undefined
}

const untouched = (): Contents => ({ foreign: false, reclaim: undefined })

/** Empty: not begun. Resolves with what went wrong, or with undefined when tasks may start. */
type Preparation = Promise<string | undefined> | undefined

/** A folder that the tasks of one run use, on this runner. */
type Place = {
  readonly folder: Folder
  readonly runId: string
  preparation: Preparation
  users: number
  readonly contents: Contents
  /** Nobody comes any more: it goes with its last user. */
  closed: boolean
  idle: Timer | undefined
}

export type WorkspacesOptions = {
  folders: Folders
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
  readonly #open = new Map<Workspace, { own: Folder; place: Place | undefined }>()

  constructor(options: WorkspacesOptions) {
    this.#options = options
  }

  /** Whether the folder of this name belongs to an attempt that runs. */
  isInUse(name: string): boolean {
    for (const { own, place } of this.#open.values()) {
      if (basename(own.folder) === name || (place !== undefined && basename(place.folder.folder) === name)) return true
    }
    return false
  }

  /**
   * Opens the workspace of an attempt. `prepare` brings an empty directory to where tasks may start, once for all that
   * share it: others wait for whoever came first, and try for themselves where that one failed. Throws the system's
   * error where no folder can be made.
   */
  async open(
    assign: Assign,
    prepare: (directory: string) => Promise<string | undefined>,
    signal: AbortSignal,
  ): Promise<Opened> {
    const { folders } = this.#options
    const own = folders.take()
    if (assign.ownWorkspace) {
      const workspace = this.#enter(own, undefined)
      const problem = await settled(prepare(own.directory))
      return problem === undefined ? { workspace } : await this.#refuse(workspace, problem)
    }
    for (;;) {
      const place = this.#placeOf(assign, own)
      const workspace = this.#enter(own, place)
      const first = place.preparation === undefined
      place.preparation ??= settled(prepare(place.folder.directory))
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
    const { own, place } = opened
    if (place === undefined) {
      await this.#giveBack(own, workspace.contents)
      return
    }
    await this.#leave(place)
    await this.#options.folders.giveBack(own)
  }

  /** The runs of which something is kept for attempts that may yet come. */
  runs(): string[] {
    return [...new Set([...this.#places.values()].map(({ runId }) => runId))]
  }

  /** No attempt of this run comes any more. */
  async runOver(runId: string): Promise<void> {
    for (const place of this.#places.values()) {
      if (place.runId === runId) await this.#close(place)
    }
  }

  /** Whoever still uses a place takes it along at his end. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const place of this.#places.values()) await this.#close(place)
  }

  #enter(own: Folder, place: Place | undefined): Workspace {
    const { folder, outputFile } = own
    const { directory } = place?.folder ?? own
    const workspace: Workspace = { folder, directory, outputFile, contents: place?.contents ?? untouched() }
    this.#open.set(workspace, { own, place })
    if (place !== undefined) {
      place.users++
      place.idle?.stop()
    }
    return workspace
  }

  #placeOf(assign: Assign, own: Folder): Place {
    const key = placeKey(assign)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    let folder: Folder
    try {
      folder = this.#options.folders.take()
    } catch (error) {
      this.#give(own)
      throw error
    }
    const { runId } = assign
    const contents = untouched()
    const place = { folder, runId, preparation: undefined, users: 0, contents, closed: false, idle: undefined }
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
    if (place.closed) await this.#giveBack(place.folder, place.contents)
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
    if (place.users === 0) await this.#giveBack(place.folder, place.contents)
  }

  async #giveBack(folder: Folder, contents: Contents): Promise<void> {
    try {
      await this.#options.folders.giveBack(folder)
    } catch (error) {
      if (contents.reclaim === undefined) throw error
      await contents.reclaim()
      await this.#options.folders.giveBack(folder)
    }
  }

  #forget(place: Place): void {
    for (const [key, each] of this.#places) if (each === place) this.#places.delete(key)
  }

  #give(folder: Folder): void {
    this.#options.folders.giveBack(folder).catch((error: unknown) => this.#options.stuck(folder.folder, error))
  }
}

const placeKey = ({ runId, checkout }: Assign): string =>
  checkout === undefined ? runId : [runId, checkout.cloneUrl, checkout.commitSha].join('\n')

const stopped = 'The task was stopped before its process was started.'

const settled = (preparation: Promise<string | undefined>): Promise<string | undefined> =>
  preparation.catch((error: unknown) => `The workspace could not be prepared: ${describeError(error)}.`)

/** The preparation's answer, or that this attempt was stopped while it waited for somebody else's. */
const unlessStopped = (preparation: Promise<string | undefined>, signal: AbortSignal): Promise<string | undefined> => {
  const stop = new Promise<string>((resolve) => {
    if (signal.aborted) resolve(stopped)
    signal.addEventListener('abort', () => resolve(stopped), { once: true })
  })
  return Promise.race([preparation, stop])
}

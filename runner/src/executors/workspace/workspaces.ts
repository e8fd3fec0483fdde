import { basename, dirname } from 'node:path'
import type { Assign } from '@signalbox/contracts/runner'
import { describeError, fullDisk, isFullDisk } from '../../errors.ts'
import type { Time } from '../../time/index.ts'
import type { Folder } from './folders.ts'
import type { OwnedFolders } from './owned-folders.ts'
import { NO_ACCOUNT } from './owned-folders.ts'
import type { KeptWorkspace } from './shared-places.ts'
import { SharedPlaces } from './shared-places.ts'
import type { Opened, Prepare, Teller, Workspace } from './workspace.ts'
import { untouched } from './workspace.ts'

// A runner that is asked to leave does so within the time that service managers give.
const LEAVE_MS = 10_000
const WAITS_FOR_SPACE =
  'The disk of this runner is nearly full: the task waits until the files of tasks that have ended are removed.'

export interface WorkspacesOptions {
  readonly folders: OwnedFolders
  readonly time: Time
  /** Something could not be removed. */
  readonly stuck: (folder: string, error: unknown) => void
}

/** Gives each attempt its own workspace, or the workspace that the tasks of its step share in turn. */
export class Workspaces implements AsyncDisposable {
  readonly #options: WorkspacesOptions
  readonly #shared: SharedPlaces
  /** Each with what becomes of it at the end of its attempt. */
  readonly #open = new Map<Workspace, () => Promise<void>>()

  constructor(options: WorkspacesOptions) {
    this.#options = options
    this.#shared = new SharedPlaces(options.folders)
  }

  /** Where all of them lie. */
  get root(): string {
    return this.#options.folders.root
  }

  /** Whether the folder of this name belongs to an attempt that runs, beside `except`. */
  isInUse(name: string, except?: Workspace): boolean {
    return this.#open
      .keys()
      .some((each) => each !== except && (basename(each.folder) === name || basename(dirname(each.directory)) === name))
  }

  /** Opens the workspace of an attempt; a fresh one is prepared first. Throws the system's error where no folder can be made. */
  open(assign: Assign, prepare: Prepare, signal: AbortSignal): Promise<Opened> {
    const { runId, step, sharedWorkspace } = assign
    if (sharedWorkspace === undefined) return this.#openOwn(prepare)
    return this.#openShared({ runId, step }, sharedWorkspace.begun, prepare, signal)
  }

  /** Call it before `open`: a task that begins on a full disk would fail although its files are about to have room. */
  async awaitSpace(teller: Teller, signal: AbortSignal): Promise<void> {
    await this.#options.folders.awaitSpace(signal, () => {
      teller.note(WAITS_FOR_SPACE)
      teller.waits(WAITS_FOR_SPACE)
    })
    teller.waits(undefined)
  }

  /** The attempt has ended. Rejects where something of it cannot be removed. */
  async release(workspace: Workspace): Promise<void> {
    const leave = this.#open.get(workspace)
    this.#open.delete(workspace)
    await leave?.()
  }

  /** The shared workspaces that are here. */
  kept(): KeptWorkspace[] {
    return this.#shared.list()
  }

  /** No attempt of this step comes any more: its workspace goes, now or with the attempt that uses it. */
  async over(kept: KeptWorkspace): Promise<void> {
    await this.#shared.close(kept)
  }

  /** An attempt that still uses a workspace removes it at its end. The next start removes what takes long. */
  async [Symbol.asyncDispose](): Promise<void> {
    const removed = Promise.all(
      this.kept().map(async (kept) => {
        await this.over(kept).catch((error: unknown) => this.#options.stuck(`of step ${kept.step}`, error))
      }),
    )
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = this.#options.time.after(LEAVE_MS, resolve)
    await Promise.race([removed, late])
    timer.stop()
  }

  async #openOwn(prepare: Prepare): Promise<Opened> {
    const { folders } = this.#options
    const folder = await folders.take()
    if (folder === undefined) return { problem: NO_ACCOUNT }
    const workspace: Workspace = { ...folder, contents: untouched() }
    this.#open.set(workspace, () => folders.remove(folder, workspace.contents.reclaim))
    const problem = await settled(prepare, folder)
    return problem === undefined ? { workspace } : await this.#refuse(workspace, problem)
  }

  async #openShared(key: KeptWorkspace, begun: boolean, prepare: Prepare, signal: AbortSignal): Promise<Opened> {
    const stay = await this.#shared.enter(key, begun, signal)
    if ('problem' in stay) return stay
    const { workspace } = stay
    this.#open.set(workspace, stay.leave)
    if (!stay.isFresh) return { workspace }
    const problem = await settled(prepare, workspace)
    if (problem !== undefined) return await this.#refuse(workspace, problem)
    stay.keep()
    return { workspace }
  }

  async #refuse(workspace: Workspace, problem: string): Promise<Opened> {
    await this.release(workspace)
    return { problem }
  }
}

async function settled(prepare: Prepare, { directory, owner }: Folder): Promise<string | undefined> {
  try {
    return await prepare(directory, owner)
  } catch (error) {
    const why = isFullDisk(error) ? fullDisk(directory) : `${describeError(error)}.`
    return `The workspace could not be prepared: ${why}`
  }
}

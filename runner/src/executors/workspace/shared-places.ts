import { STOPPED_EARLY } from '../../processes/running-process.ts'
import { untilAborted } from '../../time/index.ts'
import type { Folder } from './folders.ts'
import type { OwnedFolders } from './owned-folders.ts'
import { NO_ACCOUNT } from './owned-folders.ts'
import type { Contents, Workspace } from './workspace.ts'
import { untouched } from './workspace.ts'

/** Names the workspace that the tasks of one step share. */
export interface KeptWorkspace {
  readonly runId: string
  readonly step: string
}

/** One attempt in a shared workspace. */
export interface Stay {
  readonly workspace: Workspace
  /** The workspace is still empty. The end of this attempt removes it, unless `keep` is called. */
  readonly isFresh: boolean
  readonly keep: () => void
  /** Rejects where something cannot be removed. */
  readonly leave: () => Promise<void>
}

type Place = KeptWorkspace & {
  /** Missing while it is being made. */
  folder: Folder | undefined
  readonly contents: Contents
  /** The attempt that uses it has left then; undefined where none uses it. */
  left: Promise<void> | undefined
  /** Later attempts may use it. */
  kept: boolean
  /** No later attempt comes. */
  closed: boolean
}

/** The workspaces that tasks of one step share, one task at a time. */
export class SharedPlaces {
  readonly #folders: OwnedFolders
  readonly #places = new Map<string, Place>()

  constructor(folders: OwnedFolders) {
    this.#folders = folders
  }

  list(): KeptWorkspace[] {
    return [...this.#places.values()].map(({ runId, step }) => ({ runId, step }))
  }

  /**
   * Waits until no other attempt uses the workspace. `begun`: earlier tasks left files in it, so that it must be here.
   * Throws the system's error where no folder can be made.
   */
  async enter(key: KeptWorkspace, begun: boolean, signal: AbortSignal): Promise<Stay | { problem: string }> {
    for (let left = this.#find(key)?.left; left !== undefined; left = this.#find(key)?.left) {
      await Promise.race([left, untilAborted(signal)])
      if (signal.aborted) return { problem: STOPPED_EARLY }
    }
    const place = this.#find(key) ?? {
      ...key,
      folder: undefined,
      contents: untouched(),
      left: undefined,
      kept: false,
      closed: false,
    }
    if (begun && !place.kept) return { problem: isGone(key.step) }
    this.#places.set(nameOf(key), place)
    const { promise, resolve } = Promise.withResolvers<void>()
    place.left = promise
    const end = async () => {
      place.left = undefined
      resolve()
      if (!place.kept || place.closed) await this.#remove(place)
    }
    try {
      place.folder ??= await this.#folders.take()
      if (place.folder !== undefined) return this.#stay(place, place.folder, end)
    } catch (error) {
      await end()
      throw error
    }
    await end()
    return { problem: NO_ACCOUNT }
  }

  /** Removes the workspace now, or with the attempt that uses it. Rejects where it cannot be removed. */
  async close(key: KeptWorkspace): Promise<void> {
    const place = this.#find(key)
    if (place === undefined) return
    place.closed = true
    if (place.left === undefined) await this.#remove(place)
  }

  #stay(place: Place, folder: Folder, end: () => Promise<void>): Stay {
    const own = this.#folders.takeBeside(folder)
    return {
      workspace: { ...own, directory: folder.directory, contents: place.contents },
      isFresh: !place.kept,
      keep: () => {
        place.kept = true
      },
      leave: async () => {
        try {
          await this.#folders.removeBeside(own)
        } finally {
          await end()
        }
      },
    }
  }

  async #remove(place: Place): Promise<void> {
    this.#places.delete(nameOf(place))
    if (place.folder !== undefined) await this.#folders.remove(place.folder, place.contents.reclaim)
  }

  #find(key: KeptWorkspace): Place | undefined {
    return this.#places.get(nameOf(key))
  }
}

function nameOf({ runId, step }: KeptWorkspace): string {
  return `${runId}/${step}`
}

function isGone(step: string): string {
  return `The workspace that the tasks of step ${step} share is not on this runner any more, most likely because the runner was started again. Run the step again. Tasks that hand files on as artifacts, without \`workspace: shared\`, need no particular runner.`
}

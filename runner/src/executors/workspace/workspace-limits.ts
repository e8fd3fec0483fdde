import type { Time, Timer } from '../../time/index.ts'
import type { Usage } from '../../trees/measure.ts'
import type { Trees } from '../../trees/trees.ts'
import type { Executor } from '../executor.ts'

export interface WorkspaceLimitsOptions {
  readonly trees: Trees
  readonly time: Time
  /** The most that a workspace may hold. */
  readonly most: Usage
}

type Tell = (reason: string) => void
interface Watched {
  readonly tells: Set<Tell>
  timer: Timer | undefined
}

// A file system without quotas is counted again and again. A count of 100 files takes a millisecond, and one of 100,000
// takes half a second. The pause after each count keeps this at a fortieth of one processor.
const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 120_000
const PAUSE_PER_COUNT = 40

const MEBIBYTE = 1024 * 1024

/** Counts what tasks have in their workspaces, and tells those whose workspace holds too much. */
export class WorkspaceLimits {
  readonly #options: WorkspaceLimitsOptions
  readonly #watched = new Map<string, Watched>()

  constructor(options: WorkspaceLimitsOptions) {
    this.#options = options
  }

  /** `find`: the folders, as soon as there are some. Tells at most once for each of them, until it is stopped. */
  watch(find: () => readonly string[] | undefined, tell: Tell): Timer {
    const { time } = this.#options
    let folders: readonly string[] = []
    let timer = time.after(SHORTEST_PAUSE_MS, function look() {
      const found = find()
      if (found === undefined) timer = time.after(SHORTEST_PAUSE_MS, look)
      else {
        folders = found
        for (const folder of folders) join(folder)
      }
    })
    const join = (folder: string) => this.#join(folder, tell)
    return {
      stop: () => {
        timer.stop()
        for (const folder of folders) this.#leave(folder, tell)
      },
    }
  }

  #join(folder: string, tell: Tell): void {
    const known = this.#watched.get(folder)
    if (known !== undefined) {
      known.tells.add(tell)
      return
    }
    const watched: Watched = { tells: new Set([tell]), timer: undefined }
    this.#watched.set(folder, watched)
    void this.#count(folder, watched)
  }

  #leave(folder: string, tell: Tell): void {
    const watched = this.#watched.get(folder)
    if (watched === undefined) return
    watched.tells.delete(tell)
    if (watched.tells.size > 0) return
    watched.timer?.stop()
    this.#watched.delete(folder)
  }

  async #count(folder: string, watched: Watched): Promise<void> {
    const { trees, time, most } = this.#options
    const begun = time.monotonic()
    // The next count sees files that were removed or moved during this one.
    const usage = await trees.measure(folder, most).catch(() => undefined)
    if (this.#watched.get(folder) !== watched) return
    const reason = usage === undefined ? undefined : exceeded(usage, most)
    if (reason !== undefined) for (const tell of watched.tells) tell(reason)
    const pause = PAUSE_PER_COUNT * (time.monotonic() - begun)
    watched.timer = time.after(
      Math.min(Math.max(pause, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS),
      () => void this.#count(folder, watched),
    )
  }
}

function exceeded(usage: Usage, most: Usage): string | undefined {
  const files = `${usage.files.toLocaleString('en')} files and folders`
  const mib = `${Math.floor(usage.bytes / MEBIBYTE).toLocaleString('en')} MiB`
  const found = `${mib} in ${files} were counted until then.`
  if (usage.bytes > most.bytes) {
    const limit = `${Math.floor(most.bytes / MEBIBYTE).toLocaleString('en')} MiB`
    return `The workspace holds more than the ${limit} that this runner allows (--workspace-limit-mib): ${found}`
  }
  if (usage.files > most.files) {
    const limit = `${most.files.toLocaleString('en')} files`
    return `The workspace holds more than the ${limit} that this runner allows (--workspace-limit-files): ${found}`
  }
  return undefined
}

/** An executor that ends tasks whose workspace holds too much. */
export function withWorkspaceLimits(executor: Executor, limits: WorkspaceLimits): Executor {
  return {
    start(assign, listener) {
      const watch = limits.watch(
        () => execution.workspace.files()?.folders,
        (reason) => listener.exceeded(reason),
      )
      const execution = executor.start(assign, {
        ...listener,
        ended: (end) => {
          watch.stop()
          listener.ended(end)
        },
      })
      return execution
    },
  }
}

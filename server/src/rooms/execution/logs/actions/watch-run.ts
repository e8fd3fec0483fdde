import { isUnavailable } from '#platform/database'
import type { AttemptRow } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { findHeads } from '../store/chunks.ts'
import { type HiddenValues, type KnownHidden, readHidden, rememberHidden } from './hide-values.ts'
import { type PresentedLine, presentLine } from './present-line.ts'
import { readBlocks } from './read-blocks.ts'
import { linesOf } from './read-lines.ts'

/** Where the logs of a run stood at one moment. */
export interface Look {
  readonly version: number
  /** The tables could not be read: all else is as nobody knows. */
  readonly isAway: boolean
  readonly isOver: boolean
  readonly attempts: readonly AttemptRow[]
  /** The first line that was not stored, by attempt. */
  readonly nextLines: ReadonlyMap<string, number>
}

/** A notification may be lost; the tables are not. */
const LOOK_MS = 2000
/** Lines come in a flood of small chunks: so many looks a second are enough for any reader. */
const REST_MS = 20
const AWAY_MS = 500
/** Presented lines that are kept for the next follower: all followers at the end of a log ask for the same. */
const KEPT_LINES = 20_000

/** One reader of the logs of one run for all who follow them: who is at the same place is given the same lines. */
export class RunWatch {
  readonly #means: Means
  readonly #runId: string
  readonly #known: KnownHidden
  readonly #pages = new Map<string, { readonly lines: Promise<readonly PresentedLine[]>; count: number }>()
  #kept = 0
  #look: Look | undefined
  #hidden: HiddenValues | undefined
  #next = Promise.withResolvers<Look>()
  #waker = new AbortController()
  readonly #stopping = new AbortController()
  #followers = 0
  #stops: readonly (() => void)[] = []

  constructor(means: Means, runId: string, known: KnownHidden) {
    this.#means = means
    this.#runId = runId
    this.#known = known
  }

  join(): void {
    this.#followers += 1
    if (this.#followers > 1) return
    const wake = (payload: string | undefined): void => {
      if (payload === undefined || payload === this.#runId) this.#waker.abort()
    }
    const { notifications } = this.#means.database
    this.#stops = [notifications.listen('run_logs', wake), notifications.listen('run_changed', wake)]
    void this.#run()
  }

  /** True when nobody is left: the watch is over, and another one is to be made for the next follower. */
  leave(): boolean {
    this.#followers -= 1
    if (this.#followers > 0) return false
    for (const stop of this.#stops) stop()
    this.#stopping.abort()
    this.#waker.abort()
    return true
  }

  /** A look that is newer than `version`; at once where there is one. Rejects where the tables cannot be read at all. */
  async lookAfter(version: number): Promise<Look> {
    if (this.#look && this.#look.version > version) return this.#look
    return this.#next.promise
  }

  /** The lines of one row from `from` on, not empty where there are any. */
  async page(attempt: AttemptRow, from: number): Promise<readonly PresentedLine[]> {
    const key = `${attempt.id}:${from}`
    const known = this.#pages.get(key)
    if (known) return known.lines
    const page = { lines: this.#read(attempt, from), count: 0 }
    this.#pages.set(key, page)
    try {
      const lines = await page.lines
      page.count = lines.length
      // Nothing yet, or a log that has grown since: the next to ask shall look.
      if (lines.length === 0) this.#pages.delete(key)
      else if (this.#pages.get(key) === page) this.#keep(lines.length)
      return lines
    } catch (error) {
      this.#pages.delete(key)
      throw error
    }
  }

  #keep(count: number): void {
    this.#kept += count
    for (const [key, page] of this.#pages) {
      if (this.#kept <= KEPT_LINES) return
      this.#kept -= page.count
      this.#pages.delete(key)
    }
  }

  async #read(attempt: AttemptRow, from: number): Promise<readonly PresentedLine[]> {
    const { kysely } = this.#means.database
    const hidden = this.#hidden ?? (await readHidden(this.#means, kysely, this.#runId, this.#known))
    for await (const block of readBlocks(kysely, { attemptId: attempt.id, from }, hidden.hide)) {
      return linesOf(attempt, block).map(presentLine)
    }
    return []
  }

  async #run(): Promise<void> {
    const { clock } = this.#means
    for (let version = 1; !this.#stopping.signal.aborted; version++) {
      // Before looking: what is stored while we look wakes us again.
      this.#waker = new AbortController()
      const signal = AbortSignal.any([this.#stopping.signal, this.#waker.signal])
      try {
        this.#tell(await this.#lookOnce(version))
        await clock.sleep(REST_MS, this.#stopping.signal)
        await clock.sleep(LOOK_MS, signal)
      } catch (error) {
        if (isUnavailable(error)) {
          if (!this.#look?.isAway)
            this.#tell({ version, isAway: true, isOver: false, attempts: [], nextLines: new Map() })
        } else {
          const { promise, reject } = this.#next
          promise.catch(() => undefined)
          this.#next = Promise.withResolvers()
          reject(error)
        }
        await clock.sleep(AWAY_MS, this.#stopping.signal)
      }
    }
  }

  #tell(look: Look): void {
    const { resolve } = this.#next
    this.#next = Promise.withResolvers()
    this.#look = look
    resolve(look)
  }

  async #lookOnce(version: number): Promise<Look> {
    const { kysely } = this.#means.database
    // Asked first: what is over now has nothing that the attempts and heads read after it would not know.
    const isOver = await this.#means.runs.isOver(kysely, this.#runId)
    const hidden = await readHidden(this.#means, kysely, this.#runId, this.#known)
    if (hidden.key !== this.#hidden?.key) {
      this.#pages.clear()
      this.#kept = 0
      this.#hidden = hidden
    }
    const attempts = await this.#means.runs.listAttempts(kysely, this.#runId)
    const heads = await findHeads(
      kysely,
      attempts.map(({ id }) => id),
    )
    return {
      version,
      isAway: false,
      isOver,
      attempts,
      nextLines: new Map([...heads].map(([id, { nextLine }]) => [id, nextLine])),
    }
  }
}

/** The watches of this process, one for each run that anybody follows. */
export class Watches {
  readonly #means: Means
  readonly #known: KnownHidden
  readonly #byRun = new Map<string, RunWatch>()

  constructor(means: Means, known: KnownHidden = rememberHidden()) {
    this.#means = means
    this.#known = known
  }

  /** How many runs are followed. */
  get size(): number {
    return this.#byRun.size
  }

  /** Call `leave` with what this answers when it is no longer read. */
  join(runId: string): RunWatch {
    let watch = this.#byRun.get(runId)
    if (!watch) {
      watch = new RunWatch(this.#means, runId, this.#known)
      this.#byRun.set(runId, watch)
    }
    watch.join()
    return watch
  }

  leave(runId: string, watch: RunWatch): void {
    if (watch.leave() && this.#byRun.get(runId) === watch) this.#byRun.delete(runId)
  }
}

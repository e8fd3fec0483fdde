import { isUnavailable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Timer } from '#platform/time'
import type { Claims } from '../actions/claim-work.ts'
import { type InboxItem, runOf } from '../rules/inbox.ts'

/** The outcome of a round: stored, to be tried again because the database is away, or refused with a reason. */
export type Tried =
  | { readonly is: 'stored' }
  | { readonly is: 'away' }
  | { readonly is: 'refused'; readonly error: unknown; readonly claimed: ReadonlySet<string> }

type Refused = Extract<Tried, { is: 'refused' }>

export interface IsolationPorts {
  readonly attempt: (items: readonly InboxItem[], claims: Claims) => Promise<Tried>
  /** Ends the run as a failure, and acknowledges the results among its items. */
  readonly fail: (runId: string, items: readonly InboxItem[], reason: string) => Promise<void>
  /** Hands items to the next round. */
  readonly push: (items: readonly InboxItem[]) => void
}

/** Where even the end of a run cannot be stored, it is tried again so much later. */
export const ASIDE_MS = 30_000
/**
 * When more runs than that fail within a minute, the runs are not the cause. The other runs are then set aside, and nothing
 * is lost.
 */
const MOST_ENDED = 10
const MINUTE_MS = 60_000

interface Aside {
  readonly items: InboxItem[]
  readonly timer: Timer
}

/**
 * Finds the run for which a round is refused for good (a rule that throws, a constraint), and ends that run. The
 * others go on, and no result is lost. A run that cannot even be ended is set aside for a while, with the messages of
 * its runners.
 */
export class Isolation {
  readonly #kit: Kit
  readonly #ports: IsolationPorts
  readonly #aside = new Map<string, Aside>()
  /** When runs were ended lately, by the steady clock. */
  #endedAt: readonly number[] = []

  constructor(kit: Kit, ports: IsolationPorts) {
    this.#kit = kit
    this.#ports = ports
  }

  /** Runs that are left alone for now. */
  get asideIds(): readonly string[] {
    return [...this.#aside.keys()]
  }

  /** Keeps the items of runs that are set aside, and answers the others. */
  sift(items: readonly InboxItem[]): readonly InboxItem[] {
    if (this.#aside.size === 0) return items
    return items.filter((item) => {
      const aside = this.#aside.get(runOf(item))
      // The sweep finds all else again.
      if (aside && (item.kind === 'finished' || item.kind === 'started')) aside.items.push(item)
      return aside === undefined
    })
  }

  /**
   * Each run of the refused round alone: those of its items first, then those that it claimed, up to the one at fault.
   * False when the database is away: the same items must be tried again.
   */
  async isolate(items: readonly InboxItem[], refused: Refused): Promise<boolean> {
    let found = false
    for (const [runId, group] of Map.groupBy(items, runOf)) {
      const moved = await this.#moveAlone(runId, group)
      if (moved === 'away') return false
      found ||= moved === 'ended'
    }
    for (const runId of refused.claimed) {
      // By what came of it: it waits with that.
      if (this.#aside.has(runId)) continue
      const tried = await this.#ports.attempt([], { only: runId })
      if (tried.is === 'away') return false
      if (tried.is === 'refused') return await this.#end(runId, [], tried.error)
    }
    if (!found) this.#kit.log.error({ err: refused.error }, 'a round of the dispatcher failed, and no run alone is why')
    return true
  }

  close(): void {
    for (const { timer } of this.#aside.values()) timer.cancel()
  }

  async #moveAlone(runId: string, items: readonly InboxItem[]): Promise<'moved' | 'ended' | 'away'> {
    const tried = await this.#ports.attempt(items, { none: true })
    if (tried.is === 'stored') return 'moved'
    if (tried.is === 'away') return 'away'
    let mended = false
    // One after the other: what one of them holds costs the others nothing.
    for (const item of items) {
      const alone = await this.#ports.attempt([item], { none: true })
      if (alone.is === 'away') return 'away'
      if (alone.is === 'stored') continue
      const again = await this.#storeBare(runId, item, alone)
      if (again.is === 'away') return 'away'
      if (again.is === 'refused') return (await this.#end(runId, items, alone.error)) ? 'ended' : 'away'
      mended = true
    }
    return mended ? 'ended' : 'moved'
  }

  async #storeBare(runId: string, item: InboxItem, refused: Refused): Promise<Tried> {
    const bare = withoutPayload(item)
    if (bare === item) return refused
    this.#kit.log.error({ err: refused.error, runId }, 'a result could not be stored; the attempt fails instead')
    return await this.#ports.attempt([bare], { none: true })
  }

  /** False: the database is away. */
  async #end(runId: string, items: readonly InboxItem[], error: unknown): Promise<boolean> {
    const code = codeOf(error)
    const now = this.#kit.clock.monotonic()
    this.#endedAt = this.#endedAt.filter((at) => now - at < MINUTE_MS)
    if (this.#endedAt.length >= MOST_ENDED) {
      this.#kit.log.error({ err: error, runId, code }, 'many runs cannot be moved; one more is set aside')
      this.#setAside(runId, items)
      return true
    }
    this.#kit.log.error({ err: error, runId, code }, 'a run that cannot be moved is ended as a failure')
    try {
      await this.#ports.fail(runId, items, `An internal error of the control plane stopped it (${code}).`)
      this.#endedAt = [...this.#endedAt, now]
    } catch (failure) {
      if (isUnavailable(failure)) return false
      this.#kit.log.error({ err: failure, runId }, 'a run can be neither moved nor ended, and is set aside')
      this.#setAside(runId, items)
    }
    return true
  }

  #setAside(runId: string, items: readonly InboxItem[]): void {
    const timer = this.#kit.clock.after(ASIDE_MS, () => {
      const kept = this.#aside.get(runId)?.items ?? []
      this.#aside.delete(runId)
      this.#ports.push(kept)
    })
    this.#aside.set(runId, { items: [], timer })
    this.sift(items)
  }
}

const NOT_STORABLE = 'The result of the attempt could not be stored.'

/** A result without anything that a runner chose: what the database refuses must not hold the run for ever. */
function withoutPayload(item: InboxItem): InboxItem {
  if (item.kind !== 'finished' || item.finished.reason === NOT_STORABLE) return item
  const finished = { ...item.finished, result: 'failure', exitCode: null, reason: NOT_STORABLE, outputs: {} } as const
  return { ...item, finished }
}

/** The part of an unforeseen error that is safe to show: its message may quote anything. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

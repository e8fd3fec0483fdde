import type { LogStreamQuery } from '@signalbox/contracts/logs'
import type { Kit } from '#platform/room'
import type { AttemptRow } from '#rooms/execution/runs'
import { type FollowPosition, tailOf, writePosition } from '../rules/follow-position.ts'
import { chooseAttempts } from './choose-attempts.ts'
import { type PresentedLine, presentLine } from './present-line.ts'
import { endGap } from './read-lines.ts'
import type { Look, Watches } from './watch-run.ts'

export interface FollowedLine {
  readonly line: PresentedLine
  /** To go on behind this line. */
  readonly position: string
}

/** Some lines; to who wants new lines only, that every line is told from here on, or that the database is away. */
export type Followed = readonly FollowedLine[] | 'ready' | 'away'

/** An attempt's end is seen a moment after the time that it bears: only older ones are covered by a time alone. */
const SETTLED_MS = 10_000
const LINES_AT_ONCE = 256
/** Attempts that a position names: with more of them, `Last-Event-ID` would be larger than a request's headers may be. */
const MOST_NAMED = 400

/** The lines that somebody follows, and where they begin. */
export interface FollowWish {
  readonly runId: string
  readonly query: LogStreamQuery
  readonly start: FollowPosition
  /** Begins behind the lines that are stored when it begins. */
  readonly newOnly?: boolean
}

/**
 * The stored lines of a run's attempts, then each new line, until the run or the one attempt that is asked for has finished.
 * Lines of one attempt come in order, each once, whatever happens between two looks. A slow reader delays nobody else:
 * lines wait in the store.
 */
export async function* followLines(
  kit: Kit,
  watches: Watches,
  { runId, query, start, newOnly = false }: FollowWish,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const gone = Promise.withResolvers<undefined>()
  const leave = (): void => gone.resolve(undefined)
  signal.addEventListener('abort', leave, { once: true })
  const watch = watches.join(runId)
  const follower = new Follower(kit, start)
  let isFirst = true
  try {
    for (let version = 0; !signal.aborted; ) {
      const look: Look | undefined = await Promise.race([watch.lookAfter(version), gone.promise])
      if (!look) return
      version = look.version
      if (look.isAway) {
        if (newOnly) yield 'away'
        continue
      }
      const chosen = chooseAttempts(look.attempts, query)
      follower.see(chosen)
      if (isFirst && newOnly) {
        follower.passOver(chosen, look.nextLines)
        yield 'ready'
      }
      isFirst = false
      for (const attempt of chosen.filter((one) => !follower.isSent(one))) {
        const stored = look.nextLines.get(attempt.id) ?? 0
        while (follower.nextOf(attempt) < stored) {
          const lines = await watch.page(attempt, follower.nextOf(attempt))
          if (lines.length === 0 || signal.aborted) break
          for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
            yield follower.positioned(attempt, lines.slice(at, at + LINES_AT_ONCE))
            if (signal.aborted) return
          }
          follower.sent(attempt, lines.at(-1)?.nextLine ?? stored)
        }
        const gap = follower.nextOf(attempt) === stored ? endGap(attempt, stored) : undefined
        if (gap) {
          yield follower.positioned(attempt, [presentLine(gap)])
          follower.sent(attempt, stored + 1)
        }
        follower.read(attempt)
      }
      if (look.isOver || isEnded(chosen, query)) return
    }
  } finally {
    signal.removeEventListener('abort', leave)
    watches.leave(runId, watch)
  }
}

/** One attempt was asked for, and it has ended. */
function isEnded(chosen: readonly AttemptRow[], query: LogStreamQuery): boolean {
  const { step, task, attempt } = query
  if (step === undefined || task === undefined || attempt === undefined) return false
  return chosen.length > 0 && chosen.every(({ finishedAt }) => finishedAt !== null)
}

/** How far each attempt was sent. */
class Follower {
  readonly #kit: Kit
  readonly #start: FollowPosition
  readonly #next = new Map<string, number>()
  /** Ended before they were read to the end: nothing more comes of them. */
  readonly #whole = new Map<string, number>()
  #seen: readonly AttemptRow[] = []

  constructor(kit: Kit, start: FollowPosition) {
    this.#kit = kit
    this.#start = start
    for (const [tail, next] of start.next) this.#next.set(tail, next)
  }

  /** All that there is to be read now. */
  see(attempts: readonly AttemptRow[]): void {
    this.#seen = attempts
  }

  /** Leaves out all that is stored. */
  passOver(attempts: readonly AttemptRow[], nextLines: ReadonlyMap<string, number>): void {
    for (const attempt of attempts) {
      const stored = nextLines.get(attempt.id) ?? 0
      this.sent(attempt, stored + (endGap(attempt, stored) ? 1 : 0))
    }
  }

  isSent(attempt: AttemptRow): boolean {
    const tail = tailOf(attempt.id)
    if (this.#whole.has(tail)) return true
    const ended = attempt.finishedAt?.getTime()
    return ended !== undefined && ended <= this.#start.covered && !this.#next.has(tail)
  }

  nextOf(attempt: AttemptRow): number {
    return this.#next.get(tailOf(attempt.id)) ?? 0
  }

  sent(attempt: AttemptRow, next: number): void {
    this.#next.set(tailOf(attempt.id), next)
  }

  /** All that was stored when `attempt` was read has been sent. */
  read(attempt: AttemptRow): void {
    if (attempt.finishedAt) this.#whole.set(tailOf(attempt.id), attempt.finishedAt.getTime())
  }

  /** With positions of this attempt; those of the others stand still meanwhile. */
  positioned(attempt: AttemptRow, lines: readonly PresentedLine[]): readonly FollowedLine[] {
    const own = tailOf(attempt.id)
    const settled = this.#kit.clock.now().getTime() - SETTLED_MS
    const unread = this.#firstEndUnread()
    let covered = this.#start.covered
    for (const ended of this.#whole.values()) {
      if (ended <= settled && ended < unread && ended > covered) covered = ended
    }
    const open = [...this.#next].filter(([tail]) => {
      const ended = this.#whole.get(tail)
      return tail !== own && (ended === undefined || ended > covered)
    })
    // A log that is left out is sent again from its start, so the shortest ones are left out.
    const isMany = open.length > MOST_NAMED
    const others = isMany ? open.toSorted(([, a], [, b]) => b - a).slice(0, MOST_NAMED) : open
    const prefix = `${writePosition({ covered, next: new Map(others) })}${others.length > 0 ? ',' : ''}${own}:`
    return lines.map((line) => ({ line, position: `${prefix}${line.nextLine}` }))
  }

  /** When the first of those ended of which nothing was sent yet: no time from then on may cover the others. */
  #firstEndUnread(): number {
    const ends = this.#seen.flatMap((attempt) => {
      const isBegun = this.#next.has(tailOf(attempt.id)) || this.isSent(attempt)
      return isBegun || !attempt.finishedAt ? [] : [attempt.finishedAt.getTime()]
    })
    return Math.min(...ends)
  }
}

import type { LogStreamQuery } from '@signalbox/contracts/logs'
import type { Kit } from '#platform/room'
import type { AttemptRow, Runs } from '#rooms/execution/runs'
import { type FollowPosition, tailOf, writePosition } from '../rules/follow-position.ts'
import { nextLines } from '../store.ts'
import { chooseAttempts, type Line, readChunks } from './read-lines.ts'

export interface FollowNeeds {
  readonly runs: Pick<Runs, 'listAttempts' | 'isOver'>
}

export interface FollowedLine extends Line {
  /** To go on behind this line. */
  readonly position: string
}

/** A notification may be lost; the tables are not. */
const LOOK_MS = 2000
/** An attempt's end is seen a moment after the time that it bears: only older ones are covered by a time alone. */
const SETTLED_MS = 10_000

/**
 * The lines of a run's attempts: what is stored, then each as it is stored, until the run has finished. Lines of one
 * attempt come in order, each once, whatever happens between two looks.
 */
export async function* followLines(
  kit: Kit,
  needs: FollowNeeds,
  runId: string,
  query: LogStreamQuery,
  start: FollowPosition,
  signal: AbortSignal,
): AsyncGenerator<FollowedLine> {
  const db = kit.database.kysely
  let waker = new AbortController()
  const wake = (payload: string | undefined): void => {
    if (payload === undefined || payload === runId) waker.abort()
  }
  const { notifications } = kit.database
  const stops = [notifications.listen('run_logs', wake), notifications.listen('run_changed', wake)]
  const follower = new Follower(kit, start)
  try {
    while (!signal.aborted) {
      // Before looking: what is stored while we look wakes us again.
      waker = new AbortController()
      const over = await needs.runs.isOver(db, runId)
      const open = chooseAttempts(await needs.runs.listAttempts(db, runId), query).filter(
        (attempt) => !follower.isSent(attempt),
      )
      // One question for all of them: of a run's many attempts few have said something since the last look.
      const stored = await nextLines(
        db,
        open.map((attempt) => attempt.id),
      )
      for (const attempt of open) {
        if ((stored.get(attempt.id) ?? 0) <= follower.nextOf(attempt)) {
          follower.read(attempt)
          continue
        }
        for await (const page of readChunks(db, attempt, follower.nextOf(attempt))) {
          const rest = follower.positionWithout(attempt)
          for (const line of page) {
            yield { ...line, position: rest(line.number + 1) }
            if (signal.aborted) return
          }
          const last = page.at(-1)
          if (last) follower.sent(attempt, last.number + 1)
        }
        follower.read(attempt)
      }
      if (over) return
      await kit.clock.sleep(LOOK_MS, AbortSignal.any([signal, waker.signal]))
    }
  } finally {
    for (const stop of stops) stop()
  }
}

/** How far each attempt was sent. */
class Follower {
  readonly #kit: Kit
  readonly #start: FollowPosition
  readonly #next = new Map<string, number>()
  /** Ended before they were read to the end: nothing more comes of them. */
  readonly #whole = new Map<string, number>()

  constructor(kit: Kit, start: FollowPosition) {
    this.#kit = kit
    this.#start = start
    for (const [tail, next] of start.next) this.#next.set(tail, next)
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

  /** Writes positions of this attempt; those of the others stand still meanwhile. */
  positionWithout(attempt: AttemptRow): (next: number) => string {
    const own = tailOf(attempt.id)
    const settled = this.#kit.clock.now().getTime() - SETTLED_MS
    let covered = this.#start.covered
    for (const ended of this.#whole.values()) if (ended <= settled && ended > covered) covered = ended
    const others = [...this.#next].filter(([tail]) => {
      const ended = this.#whole.get(tail)
      return tail !== own && (ended === undefined || ended > covered)
    })
    const prefix = writePosition({ covered, next: new Map(others) })
    return (next) => `${prefix}${others.length > 0 ? ',' : ''}${own}:${next}`
  }
}

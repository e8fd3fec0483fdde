import { overlapReason } from './overlap-reasons.ts'

/** What a schedule does while an earlier run of it has not finished. */
export type OverlapPolicy = 'allow' | 'skip' | 'queue_one' | 'cancel_running'

/** A run of the schedule that has not finished. */
export interface StandingRun {
  readonly id: string
  /** Nobody has begun it yet. */
  readonly queued: boolean
}

export interface OverlapQuestion {
  readonly policy: OverlapPolicy
  /** Oldest first. */
  readonly standing: readonly StandingRun[]
  /** How many instants are due at once: more than one after downtime. */
  readonly due: number
}

export interface OverlapVerdict {
  /** For each due instant, oldest first: why it is skipped; undefined: it starts. */
  readonly skips: readonly (string | undefined)[]
  /** Runs that are canceled first. */
  readonly cancels: readonly string[]
}

const LATER = 'A later instant of the schedule that was due as well took its place (overlap_policy cancel_running).'

/** No instant starts beside a run of the schedule, but for `allow`; with `queue_one` one waits behind those that go on. */
export function judgeOverlap({ policy, standing, due }: OverlapQuestion): OverlapVerdict {
  switch (policy) {
    case 'allow':
      return { skips: starts(due, due), cancels: [] }
    case 'skip': {
      const [before] = standing
      const reason = before
        ? overlapReason('skip', before.id)
        : 'An earlier instant that was due as well started a run (overlap_policy skip).'
      return { skips: starts(due, before ? 0 : 1, reason), cancels: [] }
    }
    case 'queue_one': {
      const waiting = standing.find((run) => run.queued)
      const places = standing.length === 0 ? 2 : waiting ? 0 : 1
      return { skips: starts(due, places, overlapReason('queue_one', waiting?.id)), cancels: [] }
    }
    case 'cancel_running': {
      const skips = starts(due, due).map((_, at) => (at === due - 1 ? undefined : LATER))
      return { skips, cancels: due > 0 ? standing.map((run) => run.id) : [] }
    }
    default:
      return policy satisfies never
  }
}

/** The first `places` of `due` start. */
function starts(due: number, places: number, reason?: string): (string | undefined)[] {
  return Array.from({ length: due }, (_, at) => (at < places ? undefined : reason))
}

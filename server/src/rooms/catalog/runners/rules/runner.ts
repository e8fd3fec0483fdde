import { compilePatterns } from '@signalbox/pipeline/patterns'
import type { RunnerState } from './judge-runners.ts'

/** A runner that was enrolled and not removed. */
export interface Runner {
  readonly id: string
  readonly name: string
  /** '/' for a runner of the platform. */
  readonly teamPath: string
  /** Patterns of scopes; the last that fits decides. */
  readonly scopes: readonly string[]
  readonly labels: readonly string[]
  readonly offeredLabels: readonly string[]
  readonly executors: readonly string[]
  readonly capacity: number
  readonly version: string
  readonly enabled: boolean
  /** An operator wants no new work there. */
  readonly draining: boolean
  /** The runner itself is stopping. */
  readonly leaving: boolean
  /** The control-plane process that holds its stream. */
  readonly connectedTo: string | null
  readonly connectedAt: Date | null
  readonly lastSeenAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Moment {
  readonly now: Date
  /** How long a silent runner counts as reachable. */
  readonly leaseMs: number
}

/** The runner holds a stream, and was heard of within its lease: a process that died did not report the end of the stream. */
export function isReachable(runner: Pick<Runner, 'connectedTo' | 'lastSeenAt'>, { now, leaseMs }: Moment): boolean {
  if (runner.connectedTo === null || runner.lastSeenAt === null) return false
  return now.getTime() - runner.lastSeenAt.getTime() <= leaseMs
}

/** A runner whose stored patterns a later release cannot read serves no scope; other runners go on. */
export function scopeTest(scopes: readonly string[]): (scope: string) => boolean {
  try {
    return compilePatterns(scopes).matches
  } catch {
    return () => false
  }
}

/** `running` is the number of attempts that it has in hand. */
export function stateOf(
  runner: Runner,
  serves: (scope: string) => boolean,
  running: number,
  moment: Moment,
): RunnerState {
  return {
    id: runner.id,
    name: runner.name,
    teamPath: runner.teamPath,
    serves,
    executors: runner.executors,
    labels: new Set([...runner.labels, ...runner.offeredLabels]),
    enabled: runner.enabled,
    draining: runner.draining || runner.leaving,
    reachable: isReachable(runner, moment),
    lastSeenAt: runner.lastSeenAt,
    free: runner.capacity - running,
  }
}

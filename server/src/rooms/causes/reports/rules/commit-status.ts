import type { StatusState } from '#adapters/forges'

/** The facts of a run that decide its status at the provider. */
export interface ReportedRun {
  readonly id: string
  readonly status: string
  readonly withheld: string | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

export interface StatusText {
  readonly state: StatusState
  /** One sentence. */
  readonly description: string
}

/** A run as its provider is told of it. Public repositories show it to everybody, so it holds no content of the run. */
export function describeRun(run: ReportedRun): StatusText {
  const after = run.startedAt && run.finishedAt ? ` after ${lengthOf(run.startedAt, run.finishedAt)}` : ''
  switch (run.status) {
    case 'queued':
      return { state: 'pending', description: WITHHELD.get(run.withheld) ?? 'Waits for a runner.' }
    case 'running':
      return { state: 'running', description: 'Runs.' }
    case 'paused':
      return { state: 'running', description: 'Waits for an approval.' }
    case 'success':
      return { state: 'success', description: `Succeeded${after}.` }
    case 'warning':
      return { state: 'success', description: `Succeeded${after}, with failures that are ignored.` }
    case 'failure':
      return { state: 'failure', description: `Failed${after}.` }
    case 'timed_out':
      return { state: 'failure', description: `Ran out of time${after}.` }
    case 'canceled':
      return { state: 'canceled', description: `Canceled${after}.` }
    default:
      throw new RangeError(`"${run.status}" is no status of a run that this version knows`)
  }
}

const WITHHELD: ReadonlyMap<string | null, string> = new Map([
  ['fork_approval', 'Waits until a member approves this commit.'],
  ['group', 'Waits for the runs before it.'],
])

export function lengthOf(from: Date, to: Date): string {
  const seconds = Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/**
 * The name of the status: the same for every run of a pipeline in a scope, so that a branch can be protected by it. An
 * environment of the pipeline's own team is named alone: `signalbox/acme/web/build (staging)`.
 */
export function contextOf({ pipeline, scope }: { readonly pipeline: string; readonly scope: string }): string {
  const team = pipeline.slice(0, pipeline.lastIndexOf('/') + 1)
  const rest = scope.startsWith(team) ? scope.slice(team.length) : scope
  return `signalbox/${pipeline} (${rest.includes('/') ? scope : rest})`
}

/**
 * Whether a run replaces the run that the status tells of. A newer run replaces it, but a canceled run does not: a run
 * that was skipped because of another one must not hide that one.
 */
export function tellsInstead(
  run: Pick<ReportedRun, 'id' | 'status'>,
  other: Pick<ReportedRun, 'id' | 'status'> | undefined,
): boolean {
  if (!other || other.id === run.id) return true
  const canceled = run.status === 'canceled'
  return canceled === (other.status === 'canceled') ? run.id > other.id : !canceled
}

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 900_000
/** About an hour: by then somebody looked at the provider's page without the status. */
const PATIENCE_MS = 3_600_000

/**
 * The time of the next try of a failed report: the time since the first try doubles with each. Undefined: no more
 * tries. Tries come 5, 10, 20, 40 s after the first and so on, the last after some 50 minutes.
 */
export function nextTry(since: Date, now: Date): Date | undefined {
  const elapsed = Math.max(0, now.getTime() - since.getTime())
  const wait = Math.min(Math.max(elapsed, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
  return elapsed + wait > PATIENCE_MS ? undefined : new Date(now.getTime() + wait)
}

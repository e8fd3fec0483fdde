import type { CommitOfRun } from './newer-run.ts'

/** The part of an unfinished run that matters to others of its group or pull request, and to code that ends runs. */
export interface StandingRun extends CommitOfRun {
  readonly id: string
  readonly status: string
  readonly withheld: string | null
  readonly isCanceling: boolean
  readonly teamPath: string
  readonly group: string | null
  readonly onConflict: string | null
  readonly repository: string | null
  readonly cloneUrl: string | null
  readonly pullRequest: number | null
  readonly note: string | null
  readonly pipelineId: string
  readonly pipeline: string
  readonly scope: string
}

/** The changes of a run that this transaction has locked. Several of them may apply at once. */
export interface RunChange {
  readonly id: string
  /** The run was queued and ends now, for this reason. */
  readonly ends?: string
  /** The run is in hand; its dispatcher is asked to end it, for this reason. */
  readonly cancels?: string
  /** The run waits for its turn in its group. */
  readonly waits?: true
  /** Replaces the note of the run. */
  readonly note?: string
}

/** A run that nobody has begun ends at once. Again, or on a run that has finished: nothing changes. */
export function cancelOf(run: StandingRun, reason: string): RunChange | undefined {
  if (run.status === 'queued') return { id: run.id, ends: reason }
  const inHand = run.status === 'running' || run.status === 'paused'
  return inHand && !run.isCanceling ? { id: run.id, cancels: reason } : undefined
}

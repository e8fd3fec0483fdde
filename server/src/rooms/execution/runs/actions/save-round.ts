import { type Tx, uniqueViolation } from '#platform/database'
import { RUN_FINISHED, RUN_STARTED, type RunFinished, type RunStarted, runFinished, runStarted } from '../facts.ts'
import type { CountingKit } from '../means.ts'
import { afterSave, progressRows, type RunProgress } from '../rules/progress-rows.ts'
import type { RunInFlight } from '../rules/run-in-flight.ts'
import { sealOutputs } from '../rules/sealed-outputs.ts'
import { tellGroupLeft } from '../store/groups.ts'
import { type ProgressSave, type ProgressSaved, saveProgress } from '../store/save-progress.ts'
import { cancelRuns } from './change-runs.ts'

/** Everything that one round of the dispatcher decided, to be stored at once or not at all. */
export interface ProgressRound extends Omit<ProgressSave, 'runs' | 'steps' | 'tasks'> {
  readonly runs: readonly RunProgress[]
}

export interface FinishedRun {
  readonly id: string
  readonly status: string
  readonly cause: string
  readonly queuedAt: Date
  readonly startedAt: Date | null
}

export interface SavedRound extends Omit<ProgressSaved, 'runs' | 'orphans'> {
  readonly finished: readonly FinishedRun[]
  /** Runs that the engine moved, as they stand now, the ended ones included. */
  readonly after: ReadonlyMap<string, RunInFlight>
}

/** Somebody else moved these runs meanwhile: load them again and decide anew. */
export class RunsMovedOn extends Error {
  override readonly name = 'RunsMovedOn'
  readonly code = 'runs.moved_on'
  readonly runIds: readonly string[]

  constructor(runIds: readonly string[]) {
    super('Runs were changed by another dispatcher')
    this.runIds = runIds
  }
}

/** Somebody else has given an attempt its number meanwhile, most likely: load the runs again and decide anew. */
export class AttemptTaken extends Error {
  override readonly name = 'AttemptTaken'
  readonly code = 'runs.attempt_taken'
}

/** Throws RunsMovedOn or AttemptTaken, so that the transaction rolls back, when a run is no longer as it was computed from. */
export async function saveRound(means: CountingKit, tx: Tx, round: ProgressRound): Promise<SavedRound> {
  const rows = round.runs.map((progress) =>
    progressRows(progress, round.at, (path, outputs) => sealOutputs(means.sealer, progress.before.id, path, outputs)),
  )
  const saved = await saveProgress(tx, {
    ...round,
    runs: rows.map((row) => row.run),
    steps: rows.flatMap((row) => row.steps),
    tasks: rows.flatMap((row) => row.tasks),
  }).catch((error: unknown) => {
    // Told before the revision of a run is looked at: both are parts of one statement.
    if (uniqueViolation(error) === 'attempts_taken')
      throw new AttemptTaken('An attempt is there already', { cause: error })
    throw error
  })
  const moved = round.runs.filter(({ before }) => !saved.runs.has(before.id)).map(({ before }) => before.id)
  if (moved.length > 0) throw new RunsMovedOn(moved)
  for (const { runId, reason } of saved.orphans) {
    for (const cause of await cancelRuns(means, tx, { ids: [runId], reason, at: round.at }))
      means.observe('canceled', cause)
  }
  const finished: FinishedRun[] = []
  const after = new Map<string, RunInFlight>()
  const facts: RunFinished[] = []
  const started: RunStarted[] = []
  for (const [index, progress] of round.runs.entries()) {
    const { before } = progress
    const run = rows[index]?.run
    if (run && 'transition' in progress) after.set(before.id, afterSave(before, progress.transition.state, run))
    const begun = run && runStarted(before, run)
    if (begun) started.push(begun)
    if (!run?.finished_at) continue
    facts.push(runFinished(before, run, run.finished_at))
    finished.push({
      id: before.id,
      status: run.status,
      cause: before.cause,
      queuedAt: before.queuedAt,
      startedAt: run.started_at,
    })
  }
  if (round.runs.some(({ before }, index) => before.inGroup && rows[index]?.run.finished_at)) await tellGroupLeft(tx)
  await means.facts.tellAll(tx, RUN_STARTED.kind, RUN_STARTED.version, started)
  await means.facts.tellAll(tx, RUN_FINISHED.kind, RUN_FINISHED.version, facts)
  return { leased: saved.leased, canceled: saved.canceled, finished, after }
}

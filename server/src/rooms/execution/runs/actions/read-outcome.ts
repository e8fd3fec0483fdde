import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import {
  findOutcomeRun,
  listFallenSteps,
  listFallenTasks,
  type OutcomeRun,
  type OutcomeStep,
  type OutcomeTask,
} from '../store/run-outcome.ts'

/** What became of a run, as far as it did not go well. */
export interface RunOutcome {
  readonly run: OutcomeRun
  readonly steps: readonly OutcomeStep[]
  /** The first to end first. */
  readonly tasks: readonly (OutcomeTask & { readonly kind: 'run' | 'pipeline' | 'approval' | 'unknown' })[]
}

/** Whoever asks has found the run. The kind of a task is unknown where its document cannot be read any more. */
export async function readOutcome(means: Means, db: Queryable, id: string): Promise<RunOutcome | undefined> {
  const run = await findOutcomeRun(db, id)
  if (!run) return undefined
  const graph = await means.pipelines.getGraph(db, run.pipelineVersionId)
  const kinds = new Map(
    graph?.steps.flatMap(({ name, tasks }) => tasks.map((task) => [`${name}/${task.name}`, task.kind] as const)),
  )
  const tasks = await listFallenTasks(db, id)
  return {
    run,
    steps: await listFallenSteps(db, id),
    tasks: tasks.map((task) => ({ ...task, kind: kinds.get(`${task.step}/${task.task}`) ?? 'unknown' })),
  }
}

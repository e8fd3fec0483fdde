import { createTwoFilesPatch } from 'diff'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'
import { type AttemptRow, listAttempts } from '../store/attempts.ts'
import { loadSteps, loadTasks } from '../store/load-runs.ts'
import type { DetailRow } from '../store/run-columns.ts'
import { findVisibleRun } from './find-visible-run.ts'

/** One of two runs that are compared. */
export interface Compared {
  readonly run: DetailRow
  readonly steps: readonly StepRow[]
  readonly tasks: readonly TaskRow[]
  readonly attempts: readonly AttemptRow[]
}

export interface Comparison {
  readonly left: Compared
  readonly right: Compared
  /** Unified; null: the documents are the same. */
  readonly diff: string | null
  /** By their ids, of those that the caller may see. */
  readonly runnerNames: ReadonlyMap<string, string>
}

/** Two runs that the caller may see both; 404 for either that they may not. */
export async function compareRuns(
  means: Means,
  caller: Caller,
  ids: { readonly id: string; readonly other: string },
): Promise<Comparison> {
  const db = means.database.kysely
  const left = await load(means, caller, ids.id)
  const right = await load(means, caller, ids.other)
  const runners = (await means.runners.list(db)).filter(({ teamPath }) => caller.can('runner.read', teamPath))
  const runnerNames = new Map(runners.map(({ id, name }) => [id, name]))
  return { left, right, diff: await diffDocuments(means, db, left.run, right.run), runnerNames }
}

async function load(means: Means, caller: Caller, id: string): Promise<Compared> {
  const run = await findVisibleRun(means, caller, id)
  const db = means.database.kysely
  const steps = await loadSteps(db, [id])
  return { run, steps, tasks: await loadTasks(db, [id]), attempts: await listAttempts(db, id) }
}

async function diffDocuments(means: Means, db: Queryable, left: DetailRow, right: DetailRow): Promise<string | null> {
  if (left.pipeline_version_id === right.pipeline_version_id) return null
  const [before = '', after = ''] = [
    await means.pipelines.findDocument(db, left.pipeline_version_id),
    await means.pipelines.findDocument(db, right.pipeline_version_id),
  ]
  if (before === after) return null
  const nameOf = (run: DetailRow): string => `${run.pipeline_identifier} ${run.pipeline_version}`
  return createTwoFilesPatch(nameOf(left), nameOf(right), before, after)
}

import { createTwoFilesPatch } from 'diff'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runners } from '#rooms/catalog/runners'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'
import { type AttemptRow, listAttempts } from '../store/attempts.ts'
import type { DetailRow } from '../store/list-runs.ts'
import { loadSteps, loadTasks } from '../store/load-runs.ts'
import { findVisibleRun } from './find-visible-run.ts'

export interface CompareNeeds {
  readonly pipelines: Pick<Pipelines, 'findDocument'>
  readonly runners: Pick<Runners, 'list'>
}

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
  readonly runnerNames: ReadonlyMap<string, string>
}

/** Two runs that the caller may see both; 404 for either that they may not. */
export async function compareRuns(
  kit: Kit,
  needs: CompareNeeds,
  caller: Caller,
  ids: { readonly id: string; readonly other: string },
): Promise<Comparison> {
  const db = kit.database.kysely
  const left = await load(db, caller, ids.id)
  const right = await load(db, caller, ids.other)
  const runnerNames = new Map((await needs.runners.list(db)).map(({ id, name }) => [id, name]))
  return { left, right, diff: await diffDocuments(needs, db, left.run, right.run), runnerNames }
}

async function load(db: Queryable, caller: Caller, id: string): Promise<Compared> {
  const run = await findVisibleRun(db, caller, id)
  const steps = await loadSteps(db, [id])
  return { run, steps, tasks: await loadTasks(db, [id]), attempts: await listAttempts(db, id) }
}

async function diffDocuments(
  needs: CompareNeeds,
  db: Queryable,
  left: DetailRow,
  right: DetailRow,
): Promise<string | null> {
  if (left.pipeline_version_id === right.pipeline_version_id) return null
  const [before = '', after = ''] = [
    await needs.pipelines.findDocument(db, left.pipeline_version_id),
    await needs.pipelines.findDocument(db, right.pipeline_version_id),
  ]
  if (before === after) return null
  const nameOf = (run: DetailRow): string => `${run.pipeline_identifier} ${run.pipeline_version}`
  return createTwoFilesPatch(nameOf(left), nameOf(right), before, after)
}

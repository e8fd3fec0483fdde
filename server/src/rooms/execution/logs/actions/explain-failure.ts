import type { Finding } from '@signalbox/contracts/http'
import type { RelevantLines } from '@signalbox/contracts/logs'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { RunOutcome, SucceededAttempt } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { explainRunEnd } from '../rules/explain-run-end.ts'
import { type Fall, findFall, type Root } from '../rules/failure-roots.ts'
import { findRelevant } from './find-relevant.ts'
import type { KnownHidden } from './hide-values.ts'
import { Turns } from './take-turns.ts'

/** An agent reads the whole answer: five failures with 50 lines each are enough to begin with. */
const MOST_ROOTS = 5
/** Runs of tasks lie at most five deep. */
const MOST_RUNS = 20
const MOST_SUCCESSES = 3
/** Where this time is over, lines are judged by what was read until then. */
const BUDGET_MS = 1500

export interface FailureWish {
  readonly runId: string
  readonly known: KnownHidden
}

/** A task that ran another pipeline. */
interface Through {
  readonly run_id: string
  readonly step: string
  readonly task: string
}

/** A failure, and the run that it belongs to: of a task that ran a pipeline the failure in that pipeline's run. */
export interface PlacedRoot {
  readonly run: RunOutcome['run']
  readonly root: Root
  readonly through: readonly Through[]
  /** What became of the run that the task ran, where nothing in it failed by itself. */
  readonly childEnd: readonly Finding[]
  /** Undefined: no log, or the caller may not read it. */
  readonly lines?: RelevantLines | undefined
}

export interface FailureAnswer {
  readonly run: RunOutcome['run']
  readonly fall: Fall
  readonly roots: readonly PlacedRoot[]
  readonly moreRoots: number
  readonly lacksLogs: boolean
}

/** Why a run failed. Throws 404 for a run that the caller may not see. */
export async function explainFailure(
  means: Means,
  caller: Caller,
  { runId, known }: FailureWish,
): Promise<FailureAnswer> {
  const db = means.database.kysely
  await means.runs.findVisible(caller, runId, 'run.read')
  const outcome = await means.runs.readOutcome(db, runId)
  if (!outcome) throw platformProblem('not_found', `There is no run ${runId} that you may see.`)
  const fall = findFall(outcome, await means.runs.listAttempts(db, runId))
  const search: Search = { means, caller, runsLeft: MOST_RUNS }
  const placed = await placeRoots(search, { run: outcome.run, fall, through: [] })
  const roots = placed.slice(0, MOST_ROOTS)
  return {
    run: outcome.run,
    fall,
    roots: await withLines(means, caller, roots, known),
    moreRoots: placed.length - roots.length,
    lacksLogs: roots.some(({ run, root }) => root.attempt && !caller.can('log.read', run.teamPath)),
  }
}

interface Search {
  readonly means: Means
  readonly caller: Caller
  runsLeft: number
}

interface Fallen {
  readonly run: RunOutcome['run']
  readonly fall: Fall
  readonly through: readonly Through[]
}

/** Follows tasks that ran pipelines into their runs, as far as the caller may see these. */
async function placeRoots(search: Search, { run, fall, through }: Fallen): Promise<readonly PlacedRoot[]> {
  const placed: PlacedRoot[] = []
  for (const root of fall.roots) {
    const own = { run, root, through, childEnd: [] }
    const childId = root.attempt?.childRunId ?? null
    const isWanted = childId !== null && root.task !== undefined && placed.length < MOST_ROOTS && search.runsLeft > 0
    const child = isWanted ? await openChild(search, childId) : undefined
    if (!child || root.task === undefined) {
      placed.push(own)
      continue
    }
    const below = { ...child, through: [...through, { run_id: run.id, step: root.step, task: root.task }] }
    const inside = await placeRoots(search, below)
    if (inside.length > 0) placed.push(...inside)
    else placed.push({ ...own, childEnd: explainRunEnd(child, child.fall) })
  }
  return placed
}

async function openChild(search: Search, id: string): Promise<Omit<Fallen, 'through'> | undefined> {
  const { means, caller } = search
  const db = means.database.kysely
  search.runsLeft -= 1
  const outcome = await means.runs.readOutcome(db, id)
  if (!outcome || !caller.can('run.read', outcome.run.teamPath)) return undefined
  return { run: outcome.run, fall: findFall(outcome, await means.runs.listAttempts(db, id)) }
}

async function withLines(
  means: Means,
  caller: Caller,
  roots: readonly PlacedRoot[],
  known: KnownHidden,
): Promise<readonly PlacedRoot[]> {
  const turns = new Turns(means.clock, BUDGET_MS)
  const successes = new Map<string, readonly SucceededAttempt[]>()
  const answered: PlacedRoot[] = []
  for (const placed of roots) {
    const { run, root } = placed
    const { attempt } = root
    if (!attempt || attempt.childRunId !== null || !caller.can('log.read', run.teamPath)) {
      answered.push(placed)
      continue
    }
    const found = successes.get(run.id) ?? (await listSuccesses(means, run, roots))
    successes.set(run.id, found)
    const same = found.filter(({ step, task }) => step === attempt.step && task === attempt.task)
    answered.push({
      ...placed,
      lines: await findRelevant(means, { attempt, cause: root.cause, successes: same, known, turns }),
    })
  }
  return answered
}

/** Of all places in this run at once. */
async function listSuccesses(
  means: Means,
  run: RunOutcome['run'],
  roots: readonly PlacedRoot[],
): Promise<readonly SucceededAttempt[]> {
  const places = roots.flatMap((placed) => {
    const { step, task } = placed.root
    return placed.run.id === run.id && task !== undefined ? [{ step, task }] : []
  })
  return await means.runs.listSucceeded(means.database.kysely, { run, places, limit: MOST_SUCCESSES })
}

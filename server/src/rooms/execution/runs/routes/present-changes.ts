import type { LastSuccess, RunChanges } from '@signalbox/contracts/runs'
import { toWireTime } from '#platform/time'
import type { ChangedRun, FoundChanges } from '../actions/explain-changes.ts'
import type { LastSuccess as Found } from '../actions/find-last-success.ts'
import {
  type ChangedTask,
  type ChangeSide,
  describeChanges,
  isChanged,
  listChangedVariables,
  type TaskSide,
} from '../rules/changes.ts'
import { presentSummary } from './present-run.ts'

const MOST_TASKS = 50
const MOST_VARIABLES = 50
const VALUE_CHARACTERS = 200
const DIFF_CHARACTERS = 8000

export function presentLastSuccess({ match, run }: Found): LastSuccess {
  return { match, run: presentSummary(run) }
}

export function presentChanges({ left, right, diff, match, runnerNames }: FoundChanges): RunChanges {
  const [was, is] = [sideOf(left), sideOf(right)]
  const tasks = tasksOf(left, right)
  const changed = tasks.filter(isChanged)
  const presented = (side: TaskSide | undefined) => presentTask(side, runnerNames)
  return {
    run_id: is.id,
    with: was.id,
    match,
    status: { was: was.status, is: is.status },
    queued_at: { was: toWireTime(left.run.queued_at), is: toWireTime(right.run.queued_at) },
    took_ms: { was: was.tookMs, is: is.tookMs },
    findings: [...describeChanges({ was, is, sameDocument: diff === null, tasks })],
    commit_sha: { was: was.commit, is: is.commit },
    branch: { was: was.branch, is: is.branch },
    variables: listChangedVariables(was, is)
      .slice(0, MOST_VARIABLES)
      .map((name) => ({ name, was: cutValue(was.variables[name]), is: cutValue(is.variables[name]) })),
    document_diff: diff === null ? null : cut(diff, DIFF_CHARACTERS),
    tasks: changed
      .slice(0, MOST_TASKS)
      .map(({ step, task, was: before, is: now }) => ({ step, task, was: presented(before), is: presented(now) })),
    tasks_left_out: Math.max(0, changed.length - MOST_TASKS),
  }
}

function sideOf({ run, pins }: ChangedRun): ChangeSide {
  return {
    id: run.id,
    status: run.status,
    pipeline: run.pipeline_identifier,
    version: run.pipeline_version,
    scope: run.scope,
    commit: run.commit_sha,
    branch: run.branch,
    variables: run.variables,
    secretVariables: Object.keys(run.sealed_variables),
    pins,
    tookMs: between(run.started_at, run.finished_at),
  }
}

function tasksOf(left: ChangedRun, right: ChangedRun): readonly ChangedTask[] {
  const [was, is] = [taskSides(left), taskSides(right)]
  return [...new Set([...is.keys(), ...was.keys()])].map((path) => {
    const [step = '', task = ''] = path.split('/')
    return { step, task, was: was.get(path), is: is.get(path) }
  })
}

function taskSides({ tasks, attempts }: ChangedRun): ReadonlyMap<string, TaskSide> {
  const last = new Map(attempts.map((attempt) => [`${attempt.step}/${attempt.task}`, attempt]))
  return new Map(
    tasks.map((row) => {
      const path = `${row.step}/${row.task}`
      const own = last.get(path)?.images?.find(({ service }) => service === null)
      return [
        path,
        {
          status: row.status,
          tookMs: between(row.started_at, row.finished_at),
          exitCode: row.exit_code,
          runnerId: last.get(path)?.runnerId ?? null,
          image: own?.image ?? null,
          digest: own?.digest ?? null,
        },
      ]
    }),
  )
}

function presentTask(
  side: TaskSide | undefined,
  runnerNames: ReadonlyMap<string, string>,
): RunChanges['tasks'][number]['is'] {
  if (!side) return null
  return {
    status: side.status,
    took_ms: side.tookMs,
    exit_code: side.exitCode,
    runner_id: side.runnerId,
    runner: side.runnerId === null ? null : (runnerNames.get(side.runnerId) ?? null),
    image: side.image,
    digest: side.digest,
  }
}

function cutValue(value: string | undefined): string | null {
  return value === undefined ? null : cut(value, VALUE_CHARACTERS)
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

function between(from: Date | null, to: Date | null): number | null {
  return from && to ? to.getTime() - from.getTime() : null
}

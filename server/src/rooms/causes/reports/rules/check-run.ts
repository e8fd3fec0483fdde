import type { CheckRun } from '#adapters/forges'
import { describeRun, lengthOf, type ReportedRun } from './commit-status.ts'
import { link, quote, table } from './markdown.ts'

/** The part of a check run that follows from where a run stands. */
export type CheckText = Pick<CheckRun, 'status' | 'conclusion' | 'title' | 'summary' | 'startedAt' | 'completedAt'>

export interface ReportedStep {
  readonly step: string
  readonly status: string
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

export interface CheckedRun {
  readonly run: ReportedRun
  readonly pipeline: string
  readonly scope: string
  readonly steps: readonly ReportedStep[]
  /** The page of the run. */
  readonly url: string
  /** How many marks of lines stand at files; undefined: the run has not ended. */
  readonly marks?: { readonly count: number; readonly more: boolean } | undefined
}

/** A run as its check shows it. The names in it come from documents of the repository: they are quoted. */
export function describeCheck(checked: CheckedRun): CheckText {
  const { run } = checked
  const conclusion = conclusionOf(run.status)
  return {
    status: conclusion !== null ? 'completed' : run.status === 'queued' ? 'queued' : 'in_progress',
    conclusion,
    title: describeRun(run).description,
    summary: summarize(checked),
    startedAt: run.startedAt?.toISOString() ?? null,
    completedAt: conclusion === null ? null : (run.finishedAt?.toISOString() ?? null),
  }
}

function conclusionOf(status: string): CheckRun['conclusion'] {
  switch (status) {
    case 'success':
    case 'warning':
      return 'success'
    case 'failure':
      return 'failure'
    case 'timed_out':
      return 'timed_out'
    case 'canceled':
      return 'cancelled'
    default:
      return null
  }
}

/** A page of a provider is no place for a thousand steps. */
const MAX_STEPS = 100

function summarize({ run, pipeline, scope, steps, url, marks }: CheckedRun): string {
  const shown = steps.slice(0, MAX_STEPS)
  const rows = shown.map((step) => [quote(step.step), wordOf(step.status), durationOf(step)])
  const left = steps.length - shown.length
  return [
    `${describeRun(run).description} Pipeline ${quote(pipeline, 200)}, scope ${quote(scope, 200)}.`,
    rows.length === 0 ? undefined : table(['Step', 'Status', 'Duration'], rows),
    left > 0 ? `${left} more steps are on the page of the run.` : undefined,
    marks?.more ? `The first ${marks.count} marked lines stand at their files; there are more in the log.` : undefined,
    link('The run with its log', url),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

function durationOf({ startedAt, finishedAt }: ReportedStep): string {
  return startedAt && finishedAt ? lengthOf(startedAt, finishedAt) : '-'
}

/** Statuses are words of ours. */
export function wordOf(status: string): string {
  return status.replaceAll('_', ' ')
}

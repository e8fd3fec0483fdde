import { describeRun, lengthOf, type ReportedRun } from './commit-status.ts'
import { link, quote, table } from './markdown.ts'

/** A run that the comment of a pull request shows. */
export interface CommentedRun {
  readonly run: ReportedRun
  readonly pipeline: string
  readonly scope: string
  readonly commitSha: string | null
  /** The page of the run. */
  readonly url: string
}

/** A rule that started nothing, and why. */
export interface Note {
  readonly name: string
  readonly pipeline: string
  readonly reason: string
}

/** What a comment of a person is answered where a reaction does not say it. */
export interface Answer {
  readonly commentId: string
  readonly reaction: string
  readonly text: string
}

export interface CommentParts {
  /** Newest first. */
  readonly runs: readonly CommentedRun[]
  readonly notes: readonly Note[]
  /** Newest last. */
  readonly answers: readonly Answer[]
  /** Hidden in the comment, so that it is found again. */
  readonly marker: string
  /** What the provider takes, in characters. */
  readonly maxLength: number
}

const MAX_ROWS = 50
const MAX_TEXT = 500

/**
 * The comment of a pull request. Of runs of one pipeline in one scope the newest is shown, as at a commit. The marker is
 * a definition that no page shows, at every provider; it stands first, so that no cut takes it away.
 */
export function writeComment({ runs, notes, answers, marker, maxLength }: CommentParts): string {
  const newest = [...new Map(runs.toReversed().map((run) => [`${run.pipeline} ${run.scope}`, run])).values()]
  const shown = newest.toSorted(byName).slice(0, MAX_ROWS)
  const left = newest.length - shown.length
  const body = [
    markerLine(marker),
    '**Signalbox**',
    shown.length === 0 ? undefined : table(['Pipeline', 'Status', 'Duration', 'Commit', 'Run'], shown.map(rowOf)),
    left > 0 ? `${left} more pipelines ran.` : undefined,
    notes.length === 0 ? undefined : table(['Not started', 'Pipeline', 'Why'], notes.slice(0, MAX_ROWS).map(noteRow)),
    ...answers.map(({ reaction, text }) => `${ICONS.get(reaction) ?? '-'} ${quote(text, MAX_TEXT)}`),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
  return [...body].slice(0, maxLength).join('')
}

export function markerLine(marker: string): string {
  return `[//]: # (signalbox:${marker})`
}

const ICONS: ReadonlyMap<string, string> = new Map([
  ['seen', '\u2026'],
  ['done', '\u2713'],
  ['refused', '\u2717'],
  ['confused', '?'],
])

function byName(one: CommentedRun, other: CommentedRun): number {
  const [a, b] = [`${one.pipeline} ${one.scope}`, `${other.pipeline} ${other.scope}`]
  return a < b ? -1 : a > b ? 1 : 0
}

function rowOf({ run, pipeline, scope, commitSha, url }: CommentedRun): readonly string[] {
  const { startedAt, finishedAt } = run
  return [
    `${quote(pipeline)} ${quote(scope)}`,
    describeRun(run).description,
    startedAt && finishedAt ? lengthOf(startedAt, finishedAt) : '-',
    commitSha === null ? '-' : quote(commitSha.slice(0, 12)),
    link('open', url),
  ]
}

function noteRow({ name, pipeline, reason }: Note): readonly string[] {
  return [quote(name), quote(pipeline), quote(reason, MAX_TEXT)]
}

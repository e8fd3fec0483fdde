import { renderTemplate } from '@signalbox/pipeline/expressions'
import { describeRun, type RunFacts } from '@signalbox/pipeline/facts'
import type { GraphConcurrency } from '@signalbox/pipeline/graph'
import { readRecord } from './stored-json.ts'

/** UTF-16 units: it is looked up by an index, whose entries may not grow without bound. */
const MAX_GROUP = 500

/** The group that a pipeline puts its run into. */
export interface PipelineGroup {
  readonly group: string
  readonly onConflict: GraphConcurrency['onConflict']
  /** The reason why the group is not the one that the document means. */
  readonly note: string | undefined
}

/** The facts from which a run's group is computed. */
export interface Grouped {
  /** Of the pipeline. */
  readonly identifier: string
  readonly facts: RunFacts
  readonly event: unknown
  readonly variables: Readonly<Record<string, string>>
}

/**
 * The group as the document writes it. Where it cannot be made of this event, the run waits in the group of its
 * pipeline's name, behind the others like it. Such a run takes nobody's turn and ends no other run.
 */
export function groupOf(
  concurrency: GraphConcurrency,
  { identifier, facts, event, variables }: Grouped,
): PipelineGroup {
  const rendered = renderTemplate(concurrency.group, { run: describeRun(facts), event: event ?? null, variables })
  const text = rendered.ok ? rendered.value.trim() : ''
  if (text !== '' && text.length <= MAX_GROUP)
    return { group: text, onConflict: concurrency.onConflict, note: undefined }
  const why = rendered.ok
    ? text === ''
      ? 'it is empty'
      : `it is longer than ${MAX_GROUP} characters`
    : rendered.message
  const note = `The group of the run cannot be made (${why}): it waits for its turn in the group ${identifier}.`
  return { group: identifier, onConflict: 'queue', note }
}

/** Commits that lie, by the event, before its newest commit. */
export function ancestorsOf(event: unknown, commitSha: string | undefined): readonly string[] {
  const { before, commits } = readRecord(event)
  const listed = Array.isArray(commits) ? commits.map((commit) => readRecord(commit)['sha']) : []
  const known = [before, ...listed].filter((sha): sha is string => typeof sha === 'string' && sha !== commitSha)
  return [...new Set(known)]
}

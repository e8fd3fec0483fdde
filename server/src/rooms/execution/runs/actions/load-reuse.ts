import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { findReuse, type ReuseResult } from '../rules/reuse.ts'
import type { RunInFlight } from '../rules/run-in-flight.ts'
import { loadInFlight } from './load-progress.ts'

/** The tasks that a run takes over, as it begins, from the run that it repeats; nothing where it repeats none. */
export async function loadReuse(means: Means, db: Queryable, run: RunInFlight): Promise<ReuseResult> {
  const { repetition } = run
  if (repetition === null || repetition.mode === 'whole') return { tasks: new Map() }
  const [earlier] = await loadInFlight(means, db, [repetition.of])
  return findReuse(run.graph, repetition, {
    id: repetition.of,
    state: earlier?.state,
    sameDocument: earlier !== undefined && isSameWork(run, earlier),
  })
}

/** For somebody else it is not: who approved the run of another has not approved their own. */
function isSameWork(run: RunInFlight, earlier: RunInFlight): boolean {
  const text = ({ context, secretVariables }: RunInFlight): string =>
    JSON.stringify([context.variables, secretVariables].map((values) => Object.entries(values).toSorted()))
  const who = ({ initiator: { kind, id } }: RunInFlight): string => `${kind}:${id}`
  return run.pipelineVersionId === earlier.pipelineVersionId && who(run) === who(earlier) && text(run) === text(earlier)
}

import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { runOfReason, withoutRun } from '../rules/index.ts'
import type { Schedule } from '../store/schedules.ts'
import { TRIED } from './decided-fire.ts'

/** What became of an instant, as it is stored. */
export interface ToldInstant {
  readonly schedule: Schedule
  /** That it was to start. */
  readonly pipeline: string | null
  readonly outcome: string | null
  readonly reason: string | null
  readonly runId: string | null
}

/**
 * Instants as the caller may see them, each with the rest of what it holds. Whoever sees a schedule need not see its
 * pipeline, nor its runs, which are of the team of the pipeline: then neither a reason nor an id tells of them.
 */
export async function tellVisible<Told extends ToldInstant>(
  means: Pick<Means, 'runs' | 'database'>,
  caller: Caller,
  instants: readonly Told[],
): Promise<Told[]> {
  const ids = instants.flatMap(({ runId, reason }) => [runId ?? [], runOfReason(reason) ?? []].flat())
  const seen = await means.runs.listSeen(means.database.kysely, caller, ids)
  return instants.map((instant) => {
    const { runId } = instant
    const reason = hideRun(tellReason(means.runs, caller, instant), seen)
    return { ...instant, reason, runId: runId !== null && seen.has(runId) ? runId : null }
  })
}

function hideRun(reason: string | null, seen: ReadonlySet<string>): string | null {
  const named = runOfReason(reason)
  return reason === null || named === undefined || seen.has(named) ? reason : withoutRun(reason)
}

/** By the pipeline that the instant was to start. */
function tellReason(
  runs: Means['runs'],
  caller: Caller,
  { schedule, pipeline, outcome, reason }: ToldInstant,
): string | null {
  const isAboutPipeline =
    outcome === 'denied' || outcome === 'invalid' || (outcome === 'missed' && reason?.includes(TRIED) === true)
  if (!isAboutPipeline) return reason
  // Whoever points a schedule at a pipeline of their own becomes its owner, and not that of the fires before.
  return pipeline === schedule.pipeline
    ? reasonOfSchedule(runs, caller, schedule)(reason)
    : runs.reasonFor(caller, { pipeline }, reason)
}

/** As `reasonFor` of runs, for the reasons of one schedule. */
export function reasonOfSchedule({ reasonFor }: Means['runs'], caller: Caller, schedule: Schedule) {
  const { pipeline, ownerKind: kind, ownerId: id } = schedule
  return <Reason extends string | null>(reason: Reason): Reason | string =>
    reasonFor(caller, { pipeline, owner: { kind, id } }, reason)
}

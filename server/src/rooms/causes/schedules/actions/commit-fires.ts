import type { Tx } from '#platform/database'
import type { FoundCheckout, JudgedStart, NewRun } from '#rooms/execution/runs'
import { SCHEDULE_NOT_FIRED, type ScheduleNotFired } from '../facts.ts'
import type { Means } from '../means.ts'
import { type DueDecision, type DueFire, judgeOverlap, type StandingRun } from '../rules/index.ts'
import { type Advance, advance, lockUnchanged } from '../store/due.ts'
import { insertFires, listOfBackfills } from '../store/fires.ts'
import type { Schedule } from '../store/schedules.ts'
import { type DecidedFire, fireOf, notFired, TRIED } from './decided-fire.ts'
import { ownerOfSchedule } from './judge-owner.ts'
import { scheduledRun } from './scheduled-run.ts'

/** What is to become of a schedule that is due. */
export interface PreparedSchedule {
  readonly schedule: Schedule
  readonly decision: DueDecision
  /** Whether its owner may start it; undefined where nothing is due. */
  readonly start: JudgedStart | undefined
  readonly checkout: FoundCheckout | undefined
}

/** What a transaction stored. */
export interface CommittedFires {
  readonly schedules: number
  readonly fires: readonly DecidedFire[]
  readonly runs: number
  /** Causes of the runs that ended in their queue. */
  readonly ended: readonly string[]
}

/**
 * Stores what became of due instants, their runs and the next instants in one transaction. Schedules that somebody else
 * fired, holds or changed meanwhile are left out: theirs is the next look.
 */
export async function commitFires(means: Means, prepared: readonly PreparedSchedule[]): Promise<CommittedFires> {
  return means.database.transaction(
    async (tx) => {
      const decided = prepared.map(({ schedule: { id, nextFireAt, updatedAt } }) => ({ id, nextFireAt, updatedAt }))
      const locked = await lockUnchanged(tx, decided)
      const ours = prepared.filter(({ schedule }) => locked.has(schedule.id))
      const standing = await listStanding(means, tx, ours)
      const plans = ours.map((one) => planFires(means, one, standing.get(one.schedule.id) ?? []))
      const at = means.clock.now()
      const reason = 'The schedule fired again (overlap_policy cancel_running).'
      const ended = await means.runs.cancel(tx, { ids: plans.flatMap((plan) => plan.cancels), reason, at })
      const runs = plans.flatMap((plan) => plan.runs)
      const fires = plans.flatMap((plan) => plan.fires)
      await means.runs.queue(tx, runs)
      await insertFires(tx, fires)
      await advance(
        tx,
        plans.map((plan) => plan.advance),
      )
      const { kind, version } = SCHEDULE_NOT_FIRED
      await means.facts.tellAll(
        tx,
        kind,
        version,
        plans.flatMap((plan) => plan.told),
      )
      means.failPoints.hit('schedules.before_commit')
      return { schedules: ours.length, fires, runs: runs.length, ended }
    },
    {
      afterCommit({ runs }) {
        means.failPoints.hit('schedules.after_commit')
        if (runs > 0) means.onRunsQueued()
      },
    },
  )
}

/** Runs that count as earlier ones. Those of a backfill do not: a backfill has a limit of its own, and nothing cuts it short. */
async function listStanding(
  means: Means,
  tx: Tx,
  prepared: readonly PreparedSchedule[],
): Promise<ReadonlyMap<string, StandingRun[]>> {
  const asking = prepared.filter(({ schedule }) => schedule.overlapPolicy !== 'allow')
  const runs = await means.runs.listUnfinishedOf(
    tx,
    asking.map(({ schedule }) => schedule.id),
  )
  const ofBackfills = await listOfBackfills(
    tx,
    runs.map((run) => run.id),
  )
  return Map.groupBy(
    runs.filter((run) => !ofBackfills.has(run.id)),
    (run) => run.scheduleId,
  )
}

interface FirePlan {
  readonly fires: readonly DecidedFire[]
  readonly runs: readonly (NewRun & { readonly id: string })[]
  readonly cancels: readonly string[]
  readonly advance: Advance
  readonly told: readonly ScheduleNotFired[]
}

function planFires(means: Means, prepared: PreparedSchedule, standing: readonly StandingRun[]): FirePlan {
  const { schedule, decision, start, checkout } = prepared
  const due = decision.fires.filter((fire) => fire.outcome === 'due').length
  const policy = schedule.overlapPolicy
  const pipeline = start && 'pipeline' in start ? start.pipeline : undefined
  const overlap = pipeline ? judgeOverlap({ policy, standing, due }) : undefined
  const skips = [...(overlap?.skips ?? [])]
  const runs: (NewRun & { readonly id: string })[] = []
  const fires = decision.fires.map((fire): DecidedFire => {
    if (fire.outcome === 'missed') {
      return fireOf(means, schedule, fire, { outcome: 'missed', reason: whyMissed(schedule, fire) })
    }
    if (!pipeline) {
      const refusal = start && 'refusal' in start ? start.refusal : NOT_JUDGED
      return fireOf(means, schedule, fire, { outcome: refusal.why, reason: refusal.reason })
    }
    const skipped = skips.shift()
    if (skipped !== undefined) {
      return fireOf(means, schedule, fire, { outcome: 'skipped_overlap', reason: skipped })
    }
    const id = means.ids.next()
    const initiator = ownerOfSchedule(schedule)
    runs.push({
      ...scheduledRun(schedule, { pipeline, checkout, scheduledAt: fire.occurrence.nominal, initiator }),
      id,
    })
    return fireOf(means, schedule, fire, { outcome: 'started', runId: id })
  })
  return {
    fires,
    runs,
    cancels: overlap?.cancels ?? [],
    advance: advanceOf(schedule, decision, fires),
    told: fires.flatMap((fire) => notFired(schedule, fire)),
  }
}

/** What it waited for until then, too: the scheduler need not have been away. */
function whyMissed({ retryReason }: Schedule, { reason = 'It was too late.' }: DueFire): string {
  return retryReason === null ? reason : `${reason} ${TRIED} ${retryReason}`
}

const NOT_JUDGED = { why: 'invalid', reason: 'Nobody asked whether it may start.' } as const

/** A one-time schedule is over once it has fired; its result stays. A zone with new rules may have moved it to later. */
function advanceOf(schedule: Schedule, { next }: DueDecision, fires: readonly DecidedFire[]): Advance {
  const isOver = schedule.scheduleKind === 'one_time' && next === undefined
  const last = fires.at(-1)
  return {
    id: schedule.id,
    enabled: !isOver,
    nextFireAt: isOver ? null : (next?.planned ?? null),
    lastFireAt: last?.plannedAt ?? schedule.lastFireAt,
    lastOutcome: last?.outcome ?? schedule.lastOutcome,
    lastReason: last ? last.reason : schedule.lastReason,
    lastRunId: fires.findLast((fire) => fire.runId !== null)?.runId ?? null,
  }
}

import type { ScheduleExplanation, ScheduleExplanationQuery } from '@signalbox/contracts/schedules'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import {
  type CompiledTiming,
  compileTiming,
  type Explanation,
  explainInstant,
  MAX_SPREAD_MS,
  type RunFate,
  readHistory,
  readRunAt,
  readZone,
  type ScheduleState,
  type StoredFire,
  textOf,
  timingOf,
} from '../rules/index.ts'
import type { Fire } from '../store/fires.ts'
import { findFireBefore, listFiresAround } from '../store/fires-around.ts'
import type { Schedule } from '../store/schedules.ts'
import { getSchedule } from './find-schedule.ts'
import { visibleFires } from './list-fires.ts'
import { identifierOf } from './present-schedule.ts'
import { reasonOfSchedule } from './tell-visible.ts'

/** Of one instant: the rest is in the list of fires. */
const MAX_FIRES = 10
/** Writes to a schedule that are looked through: those of its document. Runs by hand are many, and change nothing. */
const MAX_CHANGES = 200
const CHANGES = ['schedule.created', 'schedule.updated', 'schedule.enabled', 'schedule.disabled']

/** Why a schedule fired or did not fire at an instant; now, where none is named. Throws not_found (404). */
export async function explainSchedule(
  means: Means,
  caller: Caller,
  query: ScheduleExplanationQuery,
): Promise<ScheduleExplanation> {
  const schedule = await getSchedule(means, caller, query.schedule)
  const now = means.clock.now()
  const { from, to } = query.at === undefined ? { from: now, to: now } : readAsked(schedule, query.at)
  const compiled = compileTiming(timingOf(schedule))
  const answer = { schedule_id: schedule.id, identifier: identifierOf(schedule), at: from.toISOString() }
  if (!compiled.ok) {
    const sentence = 'Its timing can no longer be read.'
    return { ...answer, ...present(schedule, [{ code: 'schedule.unreadable', sentence, told: null, evidence: [] }]) }
  }
  const { fires, last } = await findFires(means, caller, schedule, { from, to })
  const input = { from, to, now, compiled: compiled.timing, fires: fires.map(toStored), last: last && toStored(last) }
  const state = await readState(means, caller, schedule, { timing: compiled.timing, at: from })
  const runs = await findFates(means, last ? [...fires, last] : fires)
  return { ...answer, ...present(schedule, explainInstant({ ...input, schedule: state, runs })) }
}

/** What rests on no fire and no run rests on the schedule itself. */
function present({ id }: Schedule, explanations: readonly Explanation[]) {
  const told = explanations.map((each) => ({
    ...each,
    evidence: each.evidence.length > 0 ? [...each.evidence] : [{ kind: 'schedule' as const, id }],
  }))
  return {
    findings: told.map(({ told: reason, ...finding }) => (reason === null ? finding : { ...finding, told: reason })),
    sentences: told.map((each) => ({ text: textOf(each), evidence: each.evidence })),
  }
}

interface Asked {
  readonly from: Date
  readonly to: Date
}

/** Whoever writes no seconds means the whole minute. Throws invalid_request (400). */
function readAsked({ timezone }: Schedule, text: string): Asked {
  const zone = readZone(timezone) ?? readZone('UTC')
  if (!zone) throw new Error('UTC is a zone everywhere')
  const read = readRunAt(text, zone)
  if (!read.ok) {
    throw platformProblem('invalid_request', `at: ${read.message}`, {
      errors: [{ field: 'at', message: read.message }],
    })
  }
  const width = /[Tt ]\d{2}:\d{2}:\d{2}/.test(text) ? 1000 : 60_000
  return { from: read.at, to: new Date(read.at.getTime() + width - 1) }
}

async function findFires(means: Means, caller: Caller, schedule: Schedule, { from, to }: Asked) {
  const { id: scheduleId } = schedule
  const db = means.database.kysely
  const around = await listFiresAround(db, { scheduleId, from, to, spreadMs: MAX_SPREAD_MS, limit: MAX_FIRES })
  const last = around.length === 0 ? await findFireBefore(db, scheduleId, from) : undefined
  const [lastSeen] = await visibleFires(means, caller, schedule, last ? [last] : [])
  return { fires: await visibleFires(means, caller, schedule, around), last: lastSeen }
}

function toStored(fire: Fire): StoredFire {
  const { id, kind, plannedAt, nominalAt, missedUntil, firedAt, outcome, runId, reason } = fire
  return {
    id,
    kind,
    planned: plannedAt,
    nominal: nominalAt,
    until: missedUntil,
    actual: firedAt,
    outcome,
    runId,
    reason,
  }
}

async function findFates(means: Means, fires: readonly Fire[]): Promise<ReadonlyMap<string, RunFate>> {
  const fates = new Map<string, RunFate>()
  for (const { runId } of fires) {
    const fate = runId === null ? undefined : await means.runs.findStanding(means.database.kysely, runId)
    if (fate) fates.set(fate.id, fate)
  }
  return fates
}

async function readState(
  means: Means,
  caller: Caller,
  schedule: Schedule,
  { timing: { timing }, at }: { readonly timing: CompiledTiming; readonly at: Date },
): Promise<ScheduleState> {
  const tell = reasonOfSchedule(means.runs, caller, schedule)
  const resource = { kind: 'schedule', id: schedule.id, actions: CHANGES }
  const changes = await means.audit.listChanges(means.database.kysely, resource, MAX_CHANGES)
  const { createdAt, nextFireAt, retryAt, retryReason, lastFireAt } = schedule
  const firedOnce = timing.kind === 'one_time' && !schedule.enabled ? lastFireAt : null
  // Nobody disabled one that is over.
  const enabled = schedule.enabled || firedOnce !== null
  return {
    createdAt,
    enabled,
    nextFireAt,
    ...readHistory({ changes, createdAt, enabled }, at),
    firedOnce,
    retry: retryAt && retryReason !== null ? { at: retryAt, reason: tell(retryReason) } : null,
  }
}

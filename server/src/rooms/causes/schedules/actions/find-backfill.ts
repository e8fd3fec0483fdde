import type { Backfill as WireBackfill } from '@signalbox/contracts/schedules'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store/backfills.ts'
import { getSchedule } from './find-schedule.ts'

/** Path of one backfill. */
export interface BackfillPath {
  /** Id or identifier of the schedule. */
  readonly id: string
  readonly backfill_id: string
}

/** How far a backfill is. Throws not_found (404) where there is none that the caller may see. */
export async function getBackfill(
  means: Means,
  caller: Caller,
  { id, backfill_id: backfillId }: BackfillPath,
): Promise<WireBackfill> {
  const db = means.database.kysely
  const { id: scheduleId } = await getSchedule(means, caller, id)
  const backfill = await store.findBackfill(db, { id: backfillId, scheduleId })
  if (!backfill) throw noBackfill(backfillId)
  return describeBackfill(means, db, backfill)
}

export function noBackfill(id: string): Error {
  return platformProblem('not_found', `The schedule has no backfill ${id}.`)
}

export async function listBackfills(
  means: Means,
  caller: Caller,
  { schedule, ...query }: { readonly schedule: string; readonly limit?: number; readonly cursor?: string },
): Promise<Page<WireBackfill>> {
  const db = means.database.kysely
  const { id: scheduleId } = await getSchedule(means, caller, schedule)
  const page = await pageOf(query, (window) => store.listBackfills(db, { scheduleId, ...window }))
  return { items: await describeAll(means, db, page.items), next: page.next }
}

export async function describeBackfill(means: Means, db: Queryable, backfill: store.Backfill): Promise<WireBackfill> {
  const [described] = await describeAll(means, db, [backfill])
  if (!described) throw new Error(`The backfill ${backfill.id} was not described`)
  return described
}

/** Backfills of one schedule with their progress. */
async function describeAll(means: Means, db: Queryable, backfills: readonly store.Backfill[]): Promise<WireBackfill[]> {
  const ids = backfills.map((backfill) => backfill.id)
  const standing = await listStanding(means, db, backfills)
  const counts = Map.groupBy(await store.countOutcomes(db, ids), (one) => one.backfillId)
  const unfinished = await store.countStartedAmong(db, ids, standing)
  return backfills.map((backfill) => {
    const of = (...outcomes: readonly store.OutcomeCount['outcome'][]): number =>
      (counts.get(backfill.id) ?? []).reduce((sum, one) => (outcomes.includes(one.outcome) ? sum + one.count : sum), 0)
    const [pending, started, canceled] = [of('pending'), of('started'), of('canceled')]
    const failed = of('denied', 'invalid')
    return {
      ...presentBackfill(backfill),
      total: pending + started + failed + canceled,
      pending,
      started,
      unfinished: unfinished.get(backfill.id) ?? 0,
      failed,
      canceled,
    }
  })
}

/** Runs of the schedule that have not finished: asked for first, so that none counts as unfinished but not as started. */
async function listStanding(means: Means, db: Queryable, backfills: readonly store.Backfill[]): Promise<string[]> {
  const scheduleIds = new Set(backfills.flatMap((one) => (one.state === 'finished' ? [] : [one.scheduleId])))
  const runs = await means.runs.listUnfinishedOf(db, [...scheduleIds])
  return runs.map((run) => run.id)
}

/** Without its progress: also what audit records show. */
export function presentBackfill(backfill: store.Backfill) {
  const { fromAt, toAt, requesterKind: kind, requesterId: id, requesterName: name, ...columns } = backfill
  const range = { from: fromAt.toISOString(), to: toAt.toISOString() }
  return { ...toWire(columns), ...range, requested_by: { kind, id, name } }
}

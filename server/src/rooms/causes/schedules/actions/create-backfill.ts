import type { BackfillInput, Backfill as WireBackfill } from '@signalbox/contracts/schedules'
import type { Tx } from '#platform/database'
import { type Caller, ownerOf, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { scheduleProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import {
  type CompiledTiming,
  compileTiming,
  firstUndecidedOf,
  leaveOutStarted,
  leaveOutUndecided,
  MAX_SPREAD_MS,
  type Occurrence,
  planBackfill,
  timingOf,
} from '../rules/index.ts'
import * as store from '../store/backfills.ts'
import { type Fire, insertFires } from '../store/fires.ts'
import { lockSchedule, type Schedule } from '../store/schedules.ts'
import { refuse } from './check-schedule.ts'
import { describeBackfill, presentBackfill } from './find-backfill.ts'
import { getSchedule, requireSchedule } from './find-schedule.ts'
import { requireVouched, vouchCheckout } from './vouch-checkout.ts'

/**
 * Asks for the runs of a past range on behalf of the caller. Its instants wait until their turn comes; where none is
 * left to start, it has finished at once. Throws not_found, forbidden, run.not_startable, invalid_request and
 * schedule.backfill_running (409).
 */
export async function createBackfill(
  means: Means,
  origin: RequestOrigin,
  idOrIdentifier: string,
  input: BackfillInput,
): Promise<WireBackfill> {
  const { caller } = origin
  const read = await getSchedule(means, caller, idOrIdentifier)
  const vouched = caller.can('run.start', read.teamPath) ? await vouchCheckout(means, caller, read) : undefined
  return means.database.transaction(async (tx) => {
    // Locked: two requests for one range are decided one after the other.
    const schedule = requireSchedule(caller, await lockSchedule(tx, idOrIdentifier), idOrIdentifier)
    await requireStartable(means, tx, caller, schedule)
    requireVouched(caller, schedule, vouched)
    const { instants, from, to } = readRange(means, schedule, input)
    await requireNoOther(tx, schedule, { from, to })
    const onlyMissing = input.only_missing ?? true
    const started = onlyMissing ? await listStarted(tx, schedule, instants) : []
    const wanted = leaveOutStarted(instants, started)
    const { kind, id, name } = ownerOf(caller)
    const now = means.clock.now()
    const backfill: store.Backfill = {
      id: means.ids.next(),
      scheduleId: schedule.id,
      fromAt: from,
      toAt: to,
      onlyMissing,
      concurrency: input.concurrency ?? 1,
      state: wanted.length > 0 ? 'running' : 'finished',
      requesterKind: kind,
      requesterId: id,
      requesterName: name,
      createdAt: now,
      finishedAt: wanted.length > 0 ? null : now,
    }
    await store.insertBackfill(tx, backfill)
    await insertFires(
      tx,
      wanted.map((occurrence) => pendingFire(means, schedule, backfill, occurrence)),
    )
    await means.audit.record(tx, {
      origin,
      action: 'schedule.backfill_created',
      resource: { kind: 'schedule', id: schedule.id },
      teamPath: schedule.teamPath,
      after: { ...presentBackfill(backfill), total: wanted.length },
    })
    return describeBackfill(means, tx, backfill)
  })
}

async function requireStartable(means: Means, tx: Tx, caller: Caller, schedule: Schedule): Promise<void> {
  requirePermission(caller, 'run.start', schedule.teamPath)
  await means.runs.requireStart(tx, caller, {
    pipeline: schedule.pipeline,
    scope: schedule.scope,
    variables: schedule.variables,
    namesRepository: schedule.repository !== null,
  })
}

function readRange(
  means: Means,
  schedule: Schedule,
  input: BackfillInput,
): store.Range & { readonly instants: readonly Occurrence[] } {
  const range = { from: new Date(input.from), to: new Date(input.to) }
  const compiled = compile(schedule)
  const plan = planBackfill(compiled, { ...range, now: means.clock.now() })
  if (plan.ok) return { ...range, instants: leaveOutUndecided(plan.instants, undecidedFrom(compiled, schedule)) }
  const { field, message } = plan
  throw platformProblem('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}

/** Null: it is disabled or over, and decides nothing. One that waits for its repository is due for the same instant. */
function undecidedFrom(compiled: CompiledTiming, schedule: Schedule): Date | null {
  const { nextFireAt } = schedule
  return nextFireAt === null ? null : firstUndecidedOf(compiled, { ...schedule, nextFireAt })
}

/** Throws schedule.invalid (400) for a timing that this version cannot read any more. */
function compile(schedule: Schedule): CompiledTiming {
  const compiled = compileTiming(timingOf(schedule))
  if (compiled.ok) return compiled.timing
  refuse(compiled.faults)
  throw new Error('A timing that cannot be compiled has faults')
}

async function requireNoOther(tx: Tx, { id }: Schedule, range: store.Range): Promise<void> {
  const other = await store.findRunningWithin(tx, id, range)
  if (other === undefined) return
  const detail = `The backfill ${other} runs over instants of this range: wait until it has finished, or cancel it.`
  throw scheduleProblem('schedule.backfill_running', detail)
}

/** Fires lie behind their nominal instants by the spread that the schedule had then. */
async function listStarted(tx: Tx, { id }: Schedule, instants: readonly Occurrence[]): Promise<Date[]> {
  const [first, last] = [instants.at(0), instants.at(-1)]
  if (!first || !last) return []
  const latest = new Date(last.nominal.getTime() + MAX_SPREAD_MS)
  const nominal = instants.map((occurrence) => occurrence.nominal)
  return store.listStartedInstants(tx, id, nominal, { from: first.nominal, to: latest })
}

function pendingFire(
  means: Means,
  { pipeline }: Schedule,
  backfill: store.Backfill,
  { planned, nominal }: Occurrence,
): Fire {
  return {
    id: means.ids.next(),
    scheduleId: backfill.scheduleId,
    pipeline,
    kind: 'backfill',
    backfillId: backfill.id,
    plannedAt: planned,
    nominalAt: nominal,
    firedAt: null,
    outcome: 'pending',
    runId: null,
    reason: null,
    missedCount: 1,
    missedUntil: null,
  }
}

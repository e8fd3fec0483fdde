import { foreignKeyViolation, type Tx, uniqueViolation } from '#platform/database'
import {
  type Caller,
  checkIfMatch,
  etagOf,
  laterThan,
  ownerOf,
  type RequestOrigin,
  requirePermission,
} from '#platform/http'
import { scheduleProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { sameTiming } from '../rules/index.ts'
import * as store from '../store/schedules.ts'
import { checkSchedule, invalid, noTeam } from './check-schedule.ts'
import { getSchedule, requireSchedule } from './find-schedule.ts'
import { judgeOwner, ownerOfSchedule } from './judge-owner.ts'
import { identifierOf, presentWritten } from './present-schedule.ts'
import type { ScheduleDefinition } from './read-document.ts'
import { recordPassed } from './record-passed.ts'
import { requireVouched, type Vouched, vouchCheckout } from './vouch-checkout.ts'

/** The caller becomes the owner, on whose behalf it fires. */
export async function createSchedule(
  means: Means,
  origin: RequestOrigin,
  definition: ScheduleDefinition,
): Promise<store.Schedule> {
  requirePermission(origin.caller, 'schedule.write', definition.teamPath)
  const now = means.clock.now()
  const id = means.ids.next()
  const vouched = await vouchCheckout(means, origin.caller, definition)
  return means.database.transaction(async (tx) => {
    const given = { definition: { ...definition, id }, firesAfter: definition.enabled ? now : undefined }
    const { scope, next } = await checkSchedule(means, tx, origin.caller, given)
    requireVouched(origin.caller, definition, vouched)
    const schedule: store.Schedule = {
      ...definition,
      scope,
      id,
      ...ownedBy(origin),
      nextFireAt: next,
      retryAt: null,
      retryReason: null,
      lastFireAt: null,
      lastOutcome: null,
      lastReason: null,
      lastRunId: null,
      createdAt: now,
      updatedAt: now,
    }
    await named(schedule, () => store.insertSchedule(tx, schedule))
    await means.audit.record(tx, {
      origin,
      action: 'schedule.created',
      resource: { kind: 'schedule', id },
      teamPath: schedule.teamPath,
      after: presentWritten(schedule),
    })
    return schedule
  })
}

/** PUT and PATCH: what the change names is written, and the caller becomes the owner. */
export async function changeSchedule(
  means: Means,
  origin: RequestOrigin,
  idOrIdentifier: string,
  change: Partial<ScheduleDefinition>,
): Promise<store.Schedule> {
  const vouched = await vouchChange(means, origin.caller, idOrIdentifier, change)
  return means.database.transaction(async (tx) => {
    const before = await lockWritable(tx, origin, idOrIdentifier)
    return write(means, tx, { origin, action: 'schedule.updated', before, change, vouched })
  })
}

/**
 * It fires from now on, on behalf of the caller; nothing is made up for. An enabled one stays as it is, but for one whose
 * owner lost the right to start it: the caller takes that over.
 */
export async function enableSchedule(
  means: Means,
  origin: RequestOrigin,
  idOrIdentifier: string,
): Promise<store.Schedule> {
  const vouched = await vouchChange(means, origin.caller, idOrIdentifier, {})
  return means.database.transaction(async (tx) => {
    const before = await lockWritable(tx, origin, idOrIdentifier)
    if (before.enabled && !(await isDenied(means, before))) return before
    return write(means, tx, { origin, action: 'schedule.enabled', before, change: { enabled: true }, vouched })
  })
}

/** The checkout that the schedule has with the change. What may not be written at all is refused in the transaction. */
async function vouchChange(
  means: Means,
  caller: Caller,
  asked: string,
  change: Partial<ScheduleDefinition>,
): Promise<Vouched | undefined> {
  if (!caller.token?.limits) return undefined
  const before = await getSchedule(means, caller, asked)
  if (!caller.can('schedule.write', before.teamPath)) return undefined
  return vouchCheckout(means, caller, { ...before, ...change })
}

async function isDenied(means: Means, schedule: store.Schedule): Promise<boolean> {
  const start = await judgeOwner(means, schedule, ownerOfSchedule(schedule))
  return 'refusal' in start && start.refusal.why === 'denied'
}

interface Writing {
  readonly origin: RequestOrigin
  readonly action: string
  readonly before: store.Schedule
  readonly change: Partial<ScheduleDefinition>
  readonly vouched: Vouched | undefined
}

/**
 * The caller must have the right to all that the schedule is now. Its next instant is computed from now where the timing
 * changed or the schedule is enabled anew.
 */
async function write(
  means: Means,
  tx: Tx,
  { origin, action, before, change, vouched }: Writing,
): Promise<store.Schedule> {
  const wanted = { ...before, ...change }
  requirePermission(origin.caller, 'schedule.write', wanted.teamPath)
  const now = means.clock.now()
  const from = later(now, before.lastFireAt)
  const goesOn = before.enabled && wanted.enabled && sameTiming(before, wanted)
  // First: what it records as missed is decided, and no timing names it again.
  if (!goesOn) await recordPassed(means, tx, before, 'The schedule was changed before this instant fired.')
  const given = { definition: wanted, firesAfter: wanted.enabled && !goesOn ? from : undefined }
  const { scope, next } = await checkSchedule(means, tx, origin.caller, given)
  requireVouched(origin.caller, wanted, vouched)
  const after: store.Schedule = {
    ...wanted,
    scope,
    ...ownedBy(origin),
    nextFireAt: goesOn ? before.nextFireAt : next,
    retryAt: null,
    retryReason: null,
    // It is that of the pipeline before, and may name what that uses; its fire keeps it.
    lastReason: wanted.pipeline === before.pipeline ? before.lastReason : null,
    updatedAt: laterThan(before.updatedAt, now),
  }
  await save(means, tx, { origin, action, before, after })
  return after
}

/** It fires no more. Its owner stays: whoever stops a schedule need not have the right to start what it starts. */
export async function disableSchedule(
  means: Means,
  origin: RequestOrigin,
  idOrIdentifier: string,
): Promise<store.Schedule> {
  return means.database.transaction(async (tx) => {
    const before = await lockWritable(tx, origin, idOrIdentifier)
    if (!before.enabled) return before
    const updatedAt = laterThan(before.updatedAt, means.clock.now())
    const after = { ...before, enabled: false, nextFireAt: null, retryAt: null, retryReason: null, updatedAt }
    await recordPassed(means, tx, before, 'The schedule was disabled before this instant fired.')
    await save(means, tx, { origin, action: 'schedule.disabled', before, after })
    return after
  })
}

export async function deleteSchedule(means: Means, origin: RequestOrigin, idOrIdentifier: string): Promise<void> {
  await means.database.transaction(async (tx) => {
    const before = await lockWritable(tx, origin, idOrIdentifier)
    await store.deleteSchedule(tx, before.id)
    await means.audit.record(tx, {
      origin,
      action: 'schedule.deleted',
      resource: { kind: 'schedule', id: before.id },
      teamPath: before.teamPath,
      before: presentWritten(before),
    })
  })
}

/** Locked until the transaction ends, and as the caller read it. Throws not_found, forbidden and version_conflict. */
async function lockWritable(tx: Tx, { caller, ifMatch }: RequestOrigin, asked: string): Promise<store.Schedule> {
  const schedule = requireSchedule(caller, await store.lockSchedule(tx, asked), asked)
  requirePermission(caller, 'schedule.write', schedule.teamPath)
  checkIfMatch(ifMatch, etagOf(schedule.updatedAt))
  return schedule
}

interface Saving {
  readonly origin: RequestOrigin
  readonly action: string
  readonly before: store.Schedule
  readonly after: store.Schedule
}

async function save(means: Means, tx: Tx, { origin, action, before, after }: Saving): Promise<void> {
  await named(after, () => store.updateSchedule(tx, after))
  await means.audit.record(tx, {
    origin,
    action,
    resource: { kind: 'schedule', id: after.id },
    teamPath: after.teamPath,
    before: presentWritten(before),
    after: presentWritten(after),
  })
}

function ownedBy({ caller }: RequestOrigin): Pick<store.Schedule, 'ownerKind' | 'ownerId' | 'ownerName'> {
  const { kind, id, name } = ownerOf(caller)
  return { ownerKind: kind, ownerId: id, ownerName: name }
}

/** An instant that has fired does not fire again, should the clock have been set back. */
function later(now: Date, last: Date | null): Date {
  return last && last > now ? last : now
}

async function named<T>(schedule: store.Schedule, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // The team was deleted since it was looked for.
    const gone = foreignKeyViolation(error)
    if (gone === 'schedules_team_path_fkey') throw invalid([noTeam('path', schedule.teamPath)])
    if (gone === 'schedules_run_team_path_fkey') throw invalid([noTeam('run_team_path', schedule.runTeamPath ?? '')])
    if (uniqueViolation(error) !== 'schedules_name_taken') throw error
    const detail = `There is a schedule ${identifierOf(schedule)} already: choose another name, or change that one.`
    throw scheduleProblem('schedule.name_taken', detail, { cause: error, errors: [{ field: 'name', message: detail }] })
  }
}

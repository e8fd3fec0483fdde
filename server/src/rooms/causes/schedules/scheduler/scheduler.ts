import type { PreparedSchedule } from '../actions/commit-fires.ts'
import { findScheduledCheckout } from '../actions/find-checkout.ts'
import { createOwnerJudge, type OwnerJudge, ownerOfSchedule } from '../actions/judge-owner.ts'
import type { Means } from '../means.ts'
import { type ScheduleMetrics, UNCOUNTED } from '../metrics.ts'
import type { DueFire, Occurrence } from '../rules/index.ts'
import { findNextDue, listDue } from '../store/due.ts'
import type { Schedule } from '../store/schedules.ts'
import { createFireKeeper, RETRY_MS } from './keep-fires.ts'
import { createLookUps } from './look-ups.ts'
import { createPreparer } from './prepare-schedule.ts'

/** Schedules that are read at a time. */
const BATCH = 500
/** Instants that share a transaction, about: after downtime one schedule may have a hundred. */
const FIRES_TOGETHER = 1000
/** Longer than this no other work of the process waits for what is read out of expressions. */
const TURN_MS = 20

export interface Scheduler {
  /** Fires what is due now; answers whether more is. Throws what the database throws. */
  fire(): Promise<{ readonly more: boolean }>
  /** When the next schedule becomes due. */
  nextDue(): Promise<Date | undefined>
  /** Calls back when another repository can be asked. */
  onRoom(callback: () => void): void
  /** Resolves when no repository is being asked any more. */
  settle(): Promise<void>
}

interface Wait {
  /** The first instant that still may wait; all before it are decided. */
  readonly next: Occurrence
  readonly reason: string
}

/**
 * Fires schedules whose time has come. Any number of them may run at once: a schedule is locked while its instants are
 * stored, and each instant is stored once. One that names a repository is fired apart, so that nobody waits for that.
 */
export function createScheduler(means: Means, metrics: ScheduleMetrics = UNCOUNTED): Scheduler {
  const { clock, database } = means
  const preparer = createPreparer(means)
  const keeper = createFireKeeper(means, metrics)
  const lookUps = createLookUps((schedule) =>
    fireWithCheckout(schedule)
      .catch((error: unknown) => keeper.giveUp(schedule, error))
      .catch((error: unknown) => means.log.debug({ err: error }, 'a schedule waits for the database')),
  )

  async function fire(): Promise<{ readonly more: boolean }> {
    const now = clock.now()
    if (lookUps.hasRoom()) {
      const filter = { now, limit: BATCH, namesRepository: true, except: lookUps.inHand() }
      lookUps.begin(await listDue(database.kysely, filter))
    }
    const due = await listDue(database.kysely, { now, limit: BATCH, namesRepository: false })
    const fired = await fireTogether(due)
    return { more: fired > 0 && due.length === BATCH }
  }

  /** Answers how many were fired or put off; others may be at the rest. */
  async function fireTogether(schedules: readonly Schedule[]): Promise<number> {
    const judge = createOwnerJudge(means)
    let part: PreparedSchedule[] = []
    let fires = 0
    let fired = 0
    let turned = clock.monotonic()
    for (const schedule of schedules) {
      const prepared = await prepare(schedule, judge)
      if (prepared) part.push(prepared)
      else fired += 1
      fires += prepared?.decision.fires.length ?? 0
      if (fires >= FIRES_TOGETHER) {
        fired += await keeper.keep(part)
        part = []
        fires = 0
      }
      if (clock.monotonic() - turned > TURN_MS) {
        await new Promise<void>((resolve) => clock.nextTurn(resolve))
        turned = clock.monotonic()
      }
    }
    return fired + (await keeper.keep(part))
  }

  /** Undefined for one that cannot be read: it is put off. */
  async function prepare(schedule: Schedule, judge: OwnerJudge): Promise<PreparedSchedule | undefined> {
    try {
      return await preparer.prepare(schedule, judge)
    } catch (error) {
      await keeper.giveUp(schedule, error)
      return undefined
    }
  }

  async function fireWithCheckout(schedule: Schedule): Promise<void> {
    const prepared = await preparer.prepare(schedule, createOwnerJudge(means))
    const { start } = prepared
    if (!start || 'refusal' in start) return void (await keeper.keep([prepared]))
    const owner = ownerOfSchedule(schedule)
    const { teamPath } = start.pipeline
    const found = await findScheduledCheckout(means, schedule, { owner, teamPath })
    if ('checkout' in found) {
      // Looking may have taken long: rights may have ended.
      const judged = await createOwnerJudge(means)(schedule)
      return void (await keeper.keep([{ ...prepared, start: judged, checkout: found.checkout }]))
    }
    const refused = { ...prepared, start: { refusal: { why: 'invalid' as const, reason: found.problem } } }
    const waits = found.retry ? prepared.decision.fires.find((due) => mayWait(schedule, due)) : undefined
    if (!waits) return void (await keeper.keep([refused]))
    await waitFor(refused, { next: waits.occurrence, reason: found.problem })
  }

  /** Stores what cannot wait any longer, so that no instant stays undecided for longer than its grace. */
  async function waitFor(refused: PreparedSchedule, { next, reason }: Wait): Promise<void> {
    const { schedule, decision } = refused
    const fires = decision.fires.filter(({ occurrence }) => occurrence.planned < next.planned)
    if (fires.length > 0) await keeper.keep([{ ...refused, decision: { fires, next, more: true } }])
    await keeper.putOff(fires.length > 0 ? { ...schedule, nextFireAt: next.planned } : schedule, reason)
  }

  /**
   * Whether an instant still is within the grace after another try. One that is made up for is tried twice: its grace
   * was over before anybody asked.
   */
  function mayWait(schedule: Schedule, { outcome, occurrence }: DueFire): boolean {
    if (outcome !== 'due') return false
    const { misfirePolicy, misfireGraceSeconds: grace, misfireWindowSeconds: window, retryAt } = schedule
    const late = (clock.now().getTime() + RETRY_MS - occurrence.planned.getTime()) / 1000
    return late <= grace || (misfirePolicy !== 'skip' && late <= window && retryAt === null)
  }

  return {
    fire,
    nextDue: () => findNextDue(database.kysely),
    onRoom: lookUps.onRoom,
    settle: lookUps.settle,
  }
}

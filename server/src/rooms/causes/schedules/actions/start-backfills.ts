import { LRUCache } from 'lru-cache'
import { isUnavailable, type Queryable, type Tx } from '#platform/database'
import { Problem } from '#platform/problems'
import type { FoundCheckout, NewRun, Refusal, StartablePipeline } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { judgeRoom, storableReason } from '../rules/index.ts'
import * as store from '../store/backfills.ts'
import { findSchedule, type Schedule } from '../store/schedules.ts'
import { findScheduledCheckout } from './find-checkout.ts'
import { judgeOwner } from './judge-owner.ts'
import { scheduledRun } from './scheduled-run.ts'

/** Backfills that one pass looks at. */
const PASS = 200
/** Repositories that are asked at a time: each may take a minute. */
const LOOK_UPS = 4
/** A repository that could not be read, and a backfill that could not go on, are tried again after this. */
const RETRY_MS = 30_000
const KEPT_TROUBLES = 1000

export interface Backfiller {
  /**
   * Starts runs of backfills that have room for them, and ends backfills whose runs have finished. Answers the runs whose
   * end lets more of them start. Throws what the database throws while it cannot be reached.
   */
  advance(): Promise<ReadonlySet<string>>
  /** Resolves when no repository is being asked any more. */
  settle(): Promise<void>
}

/** What stood against a backfill, since when, and until when it rests. */
interface Trouble {
  readonly since: number
  readonly until: number
}

type Verdict =
  | { readonly pipeline: StartablePipeline['pipeline']; readonly checkout: FoundCheckout | undefined }
  | { readonly refusal: Refusal }

/** Any number of them may run at once: a backfill is locked while its instants are started, and each waits only once. */
export function createBackfiller(means: Means): Backfiller {
  const lookingUp = new Map<string, Promise<void>>()
  const troubles = new LRUCache<string, Trouble>({ max: KEPT_TROUBLES })
  // Each pass begins behind the one before, so that nobody waits for ever for those of low ids.
  let after: string | undefined

  async function advance(): Promise<ReadonlySet<string>> {
    const backfills = await store.listRunning(means.database.kysely, after, PASS)
    after = backfills.length === PASS ? backfills.at(-1)?.id : undefined
    const awaited = new Set<string>()
    for (const { id } of backfills) {
      if (lookingUp.has(id)) continue
      for (const run of await attempt(id, () => step(id))) awaited.add(run)
    }
    return awaited
  }

  /** One that cannot go on rests, and keeps no other one waiting. */
  async function attempt(id: string, work: () => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await work()
    } catch (error) {
      if (isUnavailable(error)) throw error
      // Nobody knows now who may do what.
      if (error instanceof Problem && error.status === 503) return []
      means.log.error({ err: error, backfill_id: id }, 'a backfill could not go on')
      rest(id)
      return []
    }
  }

  function rest(id: string): void {
    const now = means.clock.now().getTime()
    troubles.set(id, { since: troubles.get(id)?.since ?? now, until: now + RETRY_MS })
  }

  /** Answers the runs that a backfill has started. */
  async function step(id: string): Promise<readonly string[]> {
    const db = means.database.kysely
    const { runs, next } = await lookAt(means, db, id)
    const isResting = (troubles.get(id)?.until ?? 0) > means.clock.now().getTime()
    if (next === 'wait' || isResting) return runs
    if (next === 'finish') {
      await finish(means, id)
      return []
    }
    const found = await findWhole(db, id)
    if (!found) return []
    const start = await judgeOwner(means, found.schedule, requesterOf(found.backfill))
    if ('refusal' in start) return [...runs, ...(await commit(found, start))]
    const { pipeline } = start
    if (found.schedule.repository === null)
      return [...runs, ...(await commit(found, { pipeline, checkout: undefined }))]
    if (lookingUp.size < LOOK_UPS) lookUp(found, pipeline)
    return runs
  }

  function lookUp(found: Found, pipeline: StartablePipeline['pipeline']): void {
    const { id } = found.backfill
    const done = attempt(id, () => startWithCheckout(found, pipeline))
      .catch((error: unknown) => means.log.debug({ err: error }, 'a backfill waits for the database'))
      .finally(() => void lookingUp.delete(id))
    lookingUp.set(
      id,
      done.then(() => undefined),
    )
  }

  async function startWithCheckout(found: Found, pipeline: StartablePipeline['pipeline']): Promise<readonly string[]> {
    const { backfill, schedule } = found
    const owner = requesterOf(backfill)
    const result = await findScheduledCheckout(means, schedule, { owner, teamPath: pipeline.teamPath })
    if ('checkout' in result) {
      // Looking may have taken long: rights may have ended.
      const start = await judgeOwner(means, schedule, owner)
      return commit(found, 'refusal' in start ? start : { pipeline: start.pipeline, checkout: result.checkout })
    }
    if (result.retry && isPatient(found)) {
      rest(backfill.id)
      return []
    }
    return commit(found, { refusal: { why: 'invalid', reason: result.problem } })
  }

  /** After another try it would still be: a backfill waits for its repository as long as a fire may be late. */
  function isPatient({ backfill, schedule }: Found): boolean {
    const now = means.clock.now().getTime()
    const since = troubles.get(backfill.id)?.since ?? now
    return now + RETRY_MS - since <= schedule.misfireGraceSeconds * 1000
  }

  async function commit(found: Found, verdict: Verdict): Promise<readonly string[]> {
    const started = await startPending(means, found, verdict)
    troubles.delete(found.backfill.id)
    return started
  }

  return {
    advance,
    async settle() {
      await Promise.all(lookingUp.values())
    },
  }
}

interface Found {
  readonly backfill: store.Backfill
  readonly schedule: Schedule
}

async function findWhole(db: Queryable, id: string): Promise<Found | undefined> {
  const backfill = await store.findRunning(db, id)
  const schedule = backfill && (await findSchedule(db, backfill.scheduleId))
  return backfill && schedule && { backfill, schedule }
}

function requesterOf({ requesterKind, requesterId, requesterName }: store.Backfill) {
  return { kind: requesterKind, id: requesterId, name: requesterName }
}

interface Look extends ReturnType<typeof judgeRoom> {
  /** Those that it has started. */
  readonly runs: readonly string[]
}

async function lookAt(means: Means, db: Queryable, id: string): Promise<Look> {
  const backfill = await store.findRunning(db, id)
  if (!backfill) return { next: 'wait', starts: 0, runs: [] }
  const runs = await store.listStartedRuns(db, id)
  const unfinished = await means.runs.countUnfinished(db, runs)
  const pending = await store.countPending(db, id)
  return { ...judgeRoom({ pending, unfinished, concurrency: backfill.concurrency }), runs }
}

/** In one transaction: the instants that have room and their runs; or, where nothing may start, the end of all. */
async function startPending(means: Means, { backfill, schedule }: Found, verdict: Verdict): Promise<readonly string[]> {
  const work = async (tx: Tx): Promise<readonly string[]> => {
    if (!(await store.claimBackfill(tx, backfill.id))) return []
    // What was judged is what starts: somebody may have changed the schedule meanwhile.
    const current = await findSchedule(tx, schedule.id)
    if (current?.updatedAt.getTime() !== schedule.updatedAt.getTime()) return []
    const at = means.clock.now()
    if ('refusal' in verdict) {
      const { why: outcome, reason } = verdict.refusal
      await store.endPending(tx, backfill.id, {
        outcome,
        reason: storableReason(reason),
        at,
        pipeline: schedule.pipeline,
      })
      return []
    }
    const { starts } = await lookAt(means, tx, backfill.id)
    const fires = await store.listPending(tx, backfill.id, starts)
    const runs = fires.map(({ id: fireId, nominalAt }) => {
      const runId = means.ids.next()
      return { fireId, runId, run: { ...runOf(schedule, backfill, verdict, nominalAt), id: runId } }
    })
    await means.runs.queue(
      tx,
      runs.map(({ run }) => run),
    )
    await store.markStarted(
      tx,
      runs.map(({ fireId, runId }) => ({ id: fireId, runId })),
      at,
    )
    means.failPoints.hit('schedules.backfill_before_commit')
    return runs.map(({ runId }) => runId)
  }
  return means.database.transaction(work, {
    afterCommit(started) {
      if (started.length > 0) means.onRunsQueued()
    },
  })
}

/** The policy for overlaps is not asked: a backfill has a limit of its own. A group of the pipeline holds as ever. */
function runOf(
  schedule: Schedule,
  backfill: store.Backfill,
  { pipeline, checkout }: Exclude<Verdict, { refusal: Refusal }>,
  scheduledAt: Date,
): NewRun {
  const initiator = requesterOf(backfill)
  return { ...scheduledRun(schedule, { pipeline, checkout, scheduledAt, initiator }), concurrency: undefined }
}

async function finish(means: Means, id: string): Promise<void> {
  await means.database.transaction(async (tx) => {
    if (!(await store.claimBackfill(tx, id))) return
    const { next } = await lookAt(means, tx, id)
    if (next === 'finish') await store.endBackfill(tx, id, { state: 'finished', at: means.clock.now() })
  })
}

import type { ForgeAnswer, LoggedDelivery } from '#adapters/forges'
import type { Means } from '../means.ts'
import { attemptedAt, judgeAnswers, missedIn } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { findLogs, type MissedLog } from './find-logs.ts'
import { settleMissing } from './settle-missing.ts'

const DAY_MS = 86_400_000
/** GitHub keeps deliveries for three days. */
const KEPT_MS = 3 * DAY_MS
/** GitLab keeps them for seven, and says of none without an answer when it was. */
const UNTIMED_MS = 8 * DAY_MS
/** An attempt may enter the log late, and clocks differ. */
const OVERLAP_MS = 15 * 60_000
const PAGES_A_LOOK = 30
/** A log without an end is not walked for ever. */
const PAGES_A_WALK = 1000
const DEFAULT_PAUSE_MS = 5 * 60_000

/** Looks into the log of each webhook, one after the other. What goes wrong with one is stored, and delays no other. */
export async function lookEverywhere(means: Means, sourceId: string | undefined, signal: AbortSignal): Promise<void> {
  for (const log of await findLogs(means, sourceId, signal)) {
    if (signal.aborted) throw new Error('the process ends; the next look goes on')
    try {
      await lookAt(means, log)
    } catch (error) {
      // The store is gone, or a fault of ours: the other logs are tried all the same.
      means.log.warn({ err: error, source_id: log.place.sourceId }, 'a look for missed deliveries failed')
    }
  }
}

async function lookAt(means: Means, log: MissedLog): Promise<void> {
  const db = means.database.kysely
  const stored = await store.findLog(db, log.place)
  const pausing = stored?.notBefore
  if (pausing && pausing > means.clock.now()) return
  const failure = (await walk(means, log, stored)) ?? (await settleMissing(means, log))
  means.recoveryMetrics.looked(log.provider, failure ? 'failed' : 'read')
  if (failure) await noteFailure(means, log, failure)
}

type Failure = Exclude<ForgeAnswer<unknown>, { readonly outcome: 'found' }>

async function noteFailure(means: Means, { place }: MissedLog, failure: Failure): Promise<void> {
  const now = means.clock.now()
  const told = failure.outcome === 'failed' ? failure : undefined
  const pauseMs = told?.cause === 'limited' ? (told.retryAfterMs ?? DEFAULT_PAUSE_MS) : undefined
  await store.storeFailure(means.database.kysely, place, {
    failedAt: now,
    reason: told?.reason ?? 'The provider does not show the log of the webhook to this service.',
    notBefore: pauseMs === undefined ? null : new Date(now.getTime() + Math.min(pauseMs, DAY_MS)),
    // A place in the log that the provider does not know any more is left.
    forgetsCursor: !told?.retry,
  })
}

/** From the newest attempt back to the last look; answers why it could not. */
async function walk(means: Means, log: MissedLog, stored: store.StoredLog | undefined): Promise<Failure | undefined> {
  const now = means.clock.now()
  const keptMs = Math.min(KEPT_MS, means.config.deliveryRecordRetentionDays * DAY_MS)
  const oldest = Math.max(now.getTime() - keptMs, log.since.getTime())
  const untimed = Math.max(now.getTime() - UNTIMED_MS, log.since.getTime())
  const floor = Math.max(oldest, (stored?.seenUntil?.getTime() ?? 0) - OVERLAP_MS)
  let cursor = stored?.walkCursor ?? null
  const walkTop = (cursor === null ? undefined : stored?.walkTop) ?? now
  let walked = cursor === null ? 0 : (stored?.walkedPages ?? 0)
  let isDone = false
  for (let page = 0; page < PAGES_A_LOOK && !isDone; page++) {
    const answer = await log.list(cursor)
    if (answer.outcome !== 'found') return answer
    const { deliveries, next } = answer.value
    const recent = deliveries.filter((one) => attemptedAt(one, now).getTime() >= oldest)
    await noteMissed(means, log, { logged: recent, untimed })
    walked += 1
    const last = deliveries.at(-1)
    isDone = next === null || next === cursor || !last || attemptedAt(last, now).getTime() < floor
    isDone ||= walked >= PAGES_A_WALK
    cursor = isDone ? null : next
  }
  await store.storeLooked(means.database.kysely, log.place, {
    seenUntil: isDone ? walkTop : (stored?.seenUntil ?? null),
    walkCursor: cursor,
    walkTop: isDone ? null : walkTop,
    walkedPages: isDone ? 0 : walked,
    lookedAt: means.clock.now(),
    reason: walked >= PAGES_A_WALK ? `The log was not read to its end: it has more than ${PAGES_A_WALK} pages.` : null,
  })
  return undefined
}

interface LoggedSince {
  readonly logged: readonly LoggedDelivery[]
  /** When what has no time was sent at the earliest. */
  readonly untimed: number
}

async function noteMissed(means: Means, { place }: MissedLog, { logged, untimed }: LoggedSince): Promise<void> {
  const db = means.database.kysely
  const now = means.clock.now()
  const noted = await store.findNoted(db, place.sourceId, listIds(logged))
  // Answers are sought from the oldest on, in each of its days: what has its row already costs none of it.
  const fresh = logged.filter(({ deliveryId }) => !noted.has(deliveryId))
  if (fresh.length === 0) return
  const first = Math.min(...fresh.map((one) => (one.deliveredAt === null ? untimed : attemptedAt(one, now).getTime())))
  const ids = listIds(fresh)
  const answers = await means.sources.findAnswers(db, place.sourceId, ids, new Date(first - OVERLAP_MS))
  const missed = missedIn(fresh, judgeAnswers(answers), now)
  await store.noteMissed(
    db,
    place,
    missed.map((one) => ({ ...one, id: means.ids.next() })),
    now,
  )
}

function listIds(logged: readonly LoggedDelivery[]): readonly string[] {
  return [...new Set(logged.map(({ deliveryId }) => deliveryId))]
}

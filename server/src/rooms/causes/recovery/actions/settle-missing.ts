import type { ForgeAnswer } from '#adapters/forges'
import type { Means } from '../means.ts'
import { isUnwanted, judgeAnswers, type KnownAnswer, MAX_TRIES, pauseOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import type { MissedLog } from './find-logs.ts'

/** Rows that one look judges, and requests that it makes. */
const JUDGED = 1000
const REQUESTS = 50
const SKEW_MS = 15 * 60_000
/** GitHub sends nothing again that is older than three days. */
const KEPT_MS = 3 * 86_400_000

type Failure = Exclude<ForgeAnswer<unknown>, { readonly outcome: 'found' }>

/** Marks what came meanwhile, and asks for the rest again; answers why the provider could not be asked. */
export async function settleMissing(means: Means, log: MissedLog): Promise<Failure | undefined> {
  const missing = await markArrived(means, log)
  const now = means.clock.now()
  const due = missing.filter(({ nextTryAt }) => nextTryAt <= now).slice(0, REQUESTS)
  for (const row of due) {
    const reason = findEnd(row, now)
    const failure = reason === undefined ? await request(means, log, row) : await giveUp(means, log, row, reason)
    if (failure) return failure
  }
  return undefined
}

async function markArrived(means: Means, log: MissedLog): Promise<readonly store.StoredRecovery[]> {
  const db = means.database.kysely
  const missing = await store.listMissing(db, log.place, JUDGED)
  const [oldest] = missing
  if (!oldest) return []
  const since = new Date(oldest.missedAt.getTime() - SKEW_MS)
  const ids = missing.map(({ providerDeliveryId }) => providerDeliveryId)
  const arrived = judgeAnswers(await means.sources.findAnswers(db, log.place.sourceId, ids, since))
  for (const row of missing) {
    const answer = arrived.get(row.providerDeliveryId)
    if (answer) await markOne(means, log, row, answer)
  }
  return missing.filter(({ providerDeliveryId }) => !arrived.has(providerDeliveryId))
}

async function markOne(means: Means, log: MissedLog, row: store.StoredRecovery, answer: KnownAnswer): Promise<void> {
  // Nothing was taken, so nothing came back; the record of it is not marked either.
  if (isUnwanted(answer)) return giveUp(means, log, row, 'It came while the source was disabled.')
  const isNews = await store.markRecovered(means.database.kysely, row.id, answer)
  if (isNews) means.recoveryMetrics.stepped(log.provider, 'recovered')
}

function findEnd({ tries, missedAt }: store.StoredRecovery, now: Date): string | undefined {
  if (tries >= MAX_TRIES) return `The provider was asked ${MAX_TRIES} times to send it again, and it never came.`
  if (now.getTime() - missedAt.getTime() > KEPT_MS) return 'It is too old to be sent again.'
  return undefined
}

async function giveUp(means: Means, log: MissedLog, { id }: store.StoredRecovery, reason: string): Promise<undefined> {
  if (await store.giveUp(means.database.kysely, id, reason)) means.recoveryMetrics.stepped(log.provider, 'given_up')
}

/** The try is counted before the provider is asked: a process that dies in between costs a pause, and asks nothing twice. */
async function request(means: Means, log: MissedLog, row: store.StoredRecovery): Promise<Failure | undefined> {
  const db = means.database.kysely
  const now = means.clock.now()
  const next = new Date(now.getTime() + pauseOf(row.tries))
  if (!(await store.reserveTry(db, row, { now, next }))) return undefined
  means.failPoints.hit('recovery.before_request')
  const answer = await log.sendAgain(row.attemptId)
  means.failPoints.hit('recovery.after_request')
  if (answer.outcome === 'found') {
    means.recoveryMetrics.stepped(log.provider, 'requested')
    return undefined
  }
  if (answer.outcome === 'not_found') return giveUp(means, log, row, 'The provider does not keep it any more.')
  // Refused for this delivery alone: the try counts.
  if (!answer.retry && answer.cause === undefined) return undefined
  await store.returnTry(db, row, now)
  return answer
}

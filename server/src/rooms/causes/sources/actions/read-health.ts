import type { SourceHealth } from '@signalbox/contracts/sources'
import { type Caller, toWire } from '#platform/http'
import { toWireTimeOrNull } from '#platform/time'
import type { Means } from '../means.ts'
import { judgeHealth } from '../rules/index.ts'
import * as store from '../store/health.ts'
import { commandedOf } from './find-commanded.ts'
import { getVisible } from './find-source.ts'
import { listFormerNames } from './list-former-names.ts'

const UNUSABLE_MS = 7 * 86_400_000

/** How a source does: a handful of queries, each of bounded work whatever the source received. */
export async function readHealth(means: Means, caller: Caller, sourceId: string): Promise<SourceHealth> {
  const db = means.database.kysely
  const source = await getVisible(means, caller, sourceId)
  const forge = means.forges.find(source.provider)
  const pausesAfter = forge?.webhooks.pausesAfter ?? null
  const now = means.clock.now()
  const [answers, lastAcceptedAt, unusable, versions, formerNames, recovery] = await Promise.all([
    store.readNewestAnswers(db, [source.id]),
    store.findLastAccepted(db, source.id),
    store.countUnusable(db, source.id, new Date(now.getTime() - UNUSABLE_MS)),
    means.secrets.listVersions(db, source.credentialRef, source.teamPath),
    listFormerNames(means, caller, source.id),
    means.above.standingOf(commandedOf(means, source)),
  ])
  const newest = answers.get(source.id) ?? store.NO_ANSWERS
  const provider = forge?.title ?? source.provider
  const verdict = judgeHealth({ ...newest, enabled: source.enabled, provider, pausesAfter, now })
  return {
    status: verdict.status,
    sentence: verdict.sentence,
    last_delivery_at: toWireTimeOrNull(newest.lastDeliveryAt),
    last_accepted_at: toWireTimeOrNull(lastAcceptedAt),
    rejected_in_a_row: newest.rejectedInARow,
    provider_pauses_after: pausesAfter,
    probably_paused: verdict.probablyPaused,
    unusable_events: unusable.map(toWire),
    former_names: formerNames,
    credentials: versions.map(toWire),
    recovery,
  }
}

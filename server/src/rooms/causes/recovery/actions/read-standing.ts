import type { RecoveryStanding } from '@signalbox/contracts/recovery'
import { type Caller, toWire } from '#platform/http'
import { toWireTimeOrNull } from '#platform/time'
import type { CommandedSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import { describeGap } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { explainNoLook } from './explain-no-look.ts'
import { getReadable } from './find-readable.ts'

const WEEK_MS = 7 * 86_400_000

/** Throws not_found (404) where the caller may not read deliveries of the source. */
export async function getStanding(means: Means, caller: Caller, sourceId: string): Promise<RecoveryStanding> {
  return describeStanding(means, await getReadable(means, caller, sourceId))
}

/** Of a source that was read and judged before, such as for its health. */
export async function describeStanding(means: Means, source: CommandedSource): Promise<RecoveryStanding> {
  const now = means.clock.now()
  const standing = await store.readStanding(means.database.kysely, source.id, new Date(now.getTime() - WEEK_MS))
  const gap = describeGap({ ...standing, now })
  return {
    looked_at: toWireTimeOrNull(standing.lookedAt),
    gap: gap && toWire(gap),
    missing: standing.missing,
    recovered_7_days: standing.recovered,
    reason: (await explainNoLook(means, source)) ?? standing.reason,
  }
}

import type { RecoveryStanding } from '@signalbox/contracts/recovery'
import { type RequestOrigin, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import { getReadable } from './find-readable.ts'
import { getStanding } from './read-standing.ts'

export const LOOK_JOB = 'recovery.look-at-source'

/** Queues a look into the provider's log: it may take longer than a request may. */
export async function askToLook(means: Means, origin: RequestOrigin, sourceId: string): Promise<RecoveryStanding> {
  const { id, teamPath } = await getReadable(means, origin.caller, sourceId)
  requirePermission(origin.caller, 'delivery.replay', teamPath)
  await means.database.kysely.transaction().execute(async (tx) => {
    await means.jobs.add(tx, LOOK_JOB, { sourceId: id }, { key: id, maxAttempts: 3 })
    await means.audit.record(tx, {
      origin,
      action: 'recovery.requested',
      resource: { kind: 'webhook_source', id },
      teamPath,
    })
  })
  return getStanding(means, origin.caller, sourceId)
}

import type { Recovery, RecoveryQuery } from '@signalbox/contracts/recovery'
import { type Caller, type Page, pageOf, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import { stateOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { getReadable } from './find-readable.ts'

export async function listRecoveries(
  means: Means,
  caller: Caller,
  sourceId: string,
  query: RecoveryQuery,
): Promise<Page<store.StoredRecovery>> {
  const { id } = await getReadable(means, caller, sourceId)
  return pageOf(query, (window) => store.listRecoveries(means.database.kysely, { ...window, sourceId: id }))
}

export function presentRecovery(row: store.StoredRecovery): Recovery {
  const { attemptId: _attempt, nextTryAt: _next, deliveryRecordId, repository, kind, ...shown } = row
  return {
    ...toWire(shown),
    kind: kind === 'made' ? 'made' : 'resend',
    state: stateOf(row),
    repository: repository === '' ? null : repository,
    delivery_id: deliveryRecordId,
  }
}

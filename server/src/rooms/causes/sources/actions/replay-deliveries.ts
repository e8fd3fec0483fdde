import type { ReplayBatch, ReplayRequest } from '@signalbox/contracts/sources'
import type { RequestOrigin } from '#platform/http'
import { Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { Delivery } from '../rules/index.ts'
import * as store from '../store/deliveries.ts'
import { findReplayable, type Replayed, replayOne } from './replay-delivery.ts'

const DEFAULT_LIMIT = 50

export interface ReplayedBatch {
  readonly batch: ReplayBatch
  /** Whether one of them produced work. */
  readonly started: boolean
}

/**
 * Many deliveries of a source, oldest first, one after the other, as they happened. A delivery that cannot be run again
 * is skipped and named. Replays already done stay, whatever follows.
 */
export async function replayDeliveries(
  means: Means,
  origin: RequestOrigin,
  sourceId: string,
  request: ReplayRequest,
): Promise<ReplayedBatch> {
  const live = await findReplayable(means, origin.caller, sourceId)
  const chosen = await choose(means, live.source.id, request)
  const found = new Set(chosen.map(({ id }) => id))
  const missing = (request.delivery_ids ?? []).filter((id) => !found.has(id.toLowerCase()))
  const skipped = missing.map((id) => ({ delivery_id: id, reason: 'There is no such delivery of the source.' }))
  const replayed: Replayed[] = []
  const dryRun = request.dry_run ?? false
  for (const delivery of chosen) {
    try {
      replayed.push(await replayOne(means, origin, { live, delivery, dryRun }))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      skipped.push({ delivery_id: delivery.id, reason: error.message })
    }
  }
  const replays = replayed.map(({ replay }) => ({ ...replay, trace: request.dry_run ? replay.trace : null }))
  return { batch: { replays, skipped }, started: replayed.some(({ started }) => started) }
}

async function choose(means: Means, sourceId: string, request: ReplayRequest): Promise<readonly Delivery[]> {
  const db = means.database.kysely
  const limit = request.limit ?? DEFAULT_LIMIT
  if (request.delivery_ids) {
    requireAlone(request)
    return store.findDeliveries(db, sourceId, request.delivery_ids)
  }
  const newest = await store.listReplayable(db, {
    sourceIds: [sourceId],
    result: request.result,
    eventType: request.event_type,
    repository: request.repository,
    since: instantOf(request.since),
    until: instantOf(request.until),
    limit,
  })
  return newest.toReversed()
}

function requireAlone({ delivery_ids: _ids, dry_run: _dryRun, ...filters }: ReplayRequest): void {
  const [field] = Object.keys(filters)
  if (field === undefined) return
  const message = 'does not go with delivery_ids, which names deliveries one by one'
  throw platformProblem('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

import { lowestIdOf } from '#platform/ids'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import type { KnownPlaces } from './find-head-places.ts'

const EVENTS_A_BATCH = 5000
const BATCHES_A_ROUND = 20
/** An event may be stored later than others whose id is higher. */
const LATE_MS = 15 * 60_000

/** Notes the repositories that deliveries told of since the last round, of sources whose heads are compared. */
export async function noteHeard(
  means: Means,
  places: KnownPlaces,
  { since, signal }: { readonly since: Date; readonly signal: AbortSignal },
): Promise<void> {
  const db = means.database.kysely
  const newest = lowestIdOf(means.clock.now().getTime() - LATE_MS)
  let after = (await store.findHeardUntil(db)) ?? lowestIdOf(since.getTime())
  for (let batch = 0; batch < BATCHES_A_ROUND && !signal.aborted; batch++) {
    const { repositories, lastEventId } = await means.events.changes.listHeard(db, after, EVENTS_A_BATCH)
    const heard: store.HeardRepository[] = []
    for (const one of repositories) {
      const source = await places.source(one.sourceId)
      if (source && places.find(source, one.repository, signal)) heard.push(one)
    }
    await store.noteHeard(db, heard)
    if (lastEventId === undefined) break
    after = lastEventId
  }
  await store.storeHeardUntil(db, after < newest ? after : newest)
}

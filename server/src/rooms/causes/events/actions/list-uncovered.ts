import type { Queryable } from '#platform/database'
import { madeAt } from '#platform/ids'
import { followPushes } from '../rules/index.ts'
import { LATE_MS } from '../store/starts.ts'
import { findMade, type StoredMade } from '../store/suspected.ts'
import { listTold, MOST_TOLD, REF_KINDS, type ToldChange } from '../store/told-changes.ts'
import { changeKeyAt } from './change-key.ts'

export interface UncoveredAsked {
  readonly sourceId: string
  readonly repository: string
  readonly since: Date
}

/** `isLate`: it tells of what was before an event that this service made. */
export type TimedChange = ToldChange & { readonly isLate: boolean }

/** The pushes that a source told of in a repository, oldest first. Undefined: there are too many to follow. */
export async function listUncovered(db: Queryable, asked: UncoveredAsked): Promise<readonly TimedChange[] | undefined> {
  const { sourceId, repository, since } = asked
  const told = await listTold(db, { sourceId, repository, since, kinds: REF_KINDS })
  if (told.length >= MOST_TOLD) return undefined
  const refs = [...new Set(told.flatMap(({ ref }) => ref ?? []))]
  const keys = refs.map((ref) => changeKeyAt(sourceId, repository, { ref }))
  const made = keys.length === 0 ? [] : await findMade(db, keys, new Date(since.getTime() - LATE_MS))
  const late = made.length === 0 ? new Set<string>() : await findLate(db, asked, made)
  return late && told.map((change) => ({ ...change, isLate: late.has(change.eventId) }))
}

/**
 * Each made event is compared with all that came after it, as deliveries are, and not only with what came since the look:
 * a ref that went on long ago must not seem to be where the made event left it.
 */
async function findLate(
  db: Queryable,
  { sourceId, repository }: UncoveredAsked,
  made: readonly StoredMade[],
): Promise<ReadonlySet<string> | undefined> {
  const refs = [...new Set(made.flatMap(({ ref }) => ref ?? []))]
  const since = new Date(Math.min(...made.map(({ eventId }) => madeAt(eventId).getTime())))
  const told = await listTold(db, { sourceId, repository, since, kinds: REF_KINDS, refs })
  if (told.length >= MOST_TOLD) return undefined
  // What this service made is never late.
  const own = new Set(made.map(({ eventId }) => eventId))
  const ofRefs = Map.groupBy(told, ({ ref }) => ref)
  const late = new Set<string>()
  for (const one of made) {
    const isCovered = followPushes(one)
    for (const { eventId, ...change } of ofRefs.get(one.ref) ?? []) {
      const at = madeAt(eventId)
      if (eventId <= one.eventId || at.getTime() - one.madeAt.getTime() >= LATE_MS) continue
      if (isCovered({ ...change, at }) && !own.has(eventId)) late.add(eventId)
    }
  }
  return late
}

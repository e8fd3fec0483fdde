import type { ForgeAnswer, ForgeFailure } from '#adapters/forges'
import { lowestIdOf } from '#platform/ids'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import { type HeadPlace, type KnownPlaces, openPlaces } from './find-head-places.ts'
import { judgeHeads, type SeenHeads } from './judge-heads.ts'
import { makeUntold } from './make-untold.ts'

const DAY_MS = 86_400_000
/** A repository that told of nothing for so long is not looked at. */
const HEARD_MS = 30 * DAY_MS
const PLACES_A_ROUND = 200
const EVENTS_A_BATCH = 5000
const BATCHES_A_ROUND = 20
/** An event may be stored later than others whose id is higher. */
const LATE_MS = 15 * 60_000
const DEFAULT_PAUSE_MS = 5 * 60_000
/** What is being stored while a look ends was compared with what is there before: it counts as come before. */
const ENDING_MS = 10_000
/** What the provider does not show is not asked for at each look. */
const UNSHOWN_PAUSE_MS = 3_600_000
/** All heads of a repository are noted in one row. */
const MOST_HEADS = 20_000

/** Compares the heads of all repositories in turns, or of those of one source. What goes wrong with one delays no other. */
export async function compareHeads(means: Means, sourceId: string | undefined, signal: AbortSignal): Promise<void> {
  const db = means.database.kysely
  await readHeard(means, signal)
  const places = await openPlaces(means, signal)
  const now = means.clock.now()
  const heardSince = new Date(now.getTime() - HEARD_MS)
  const failing = new Set<string>()
  for (const turn of await store.listTurns(db, { sourceId, heardSince, now, limit: PLACES_A_ROUND })) {
    if (signal.aborted) throw new Error('the process ends; the next round goes on')
    if (failing.has(turn.sourceId)) continue
    try {
      if (!(await takeTurn(means, places, turn))) failing.add(turn.sourceId)
    } catch (error) {
      means.log.warn({ err: error, source_id: turn.sourceId }, 'a comparison of heads failed')
    }
  }
}

/** Notes the repositories that sources told of since the last round. */
async function readHeard(means: Means, signal: AbortSignal): Promise<void> {
  const db = means.database.kysely
  const now = means.clock.now()
  const newest = lowestIdOf(now.getTime() - LATE_MS)
  let after = (await store.findHeardUntil(db)) ?? lowestIdOf(now.getTime() - HEARD_MS)
  for (let batch = 0; batch < BATCHES_A_ROUND && !signal.aborted; batch++) {
    const { repositories, lastEventId } = await means.events.changes.listHeard(db, after, EVENTS_A_BATCH)
    await store.noteHeard(db, repositories)
    if (lastEventId === undefined) break
    after = lastEventId
  }
  await store.storeHeardUntil(db, after < newest ? after : newest)
}

/** False: the provider of the source cannot be asked now. */
async function takeTurn(means: Means, places: KnownPlaces, turn: store.HeardPlace): Promise<boolean> {
  const db = means.database.kysely
  const stored = await store.findHeads(db, turn)
  if (!stored || !(await store.takeTurn(db, stored, means.clock.now()))) return true
  const source = await places.source(turn.sourceId)
  if (!source) return true
  if (!source.enabled) await noteNothing(means, stored)
  const place = places.find(source, stored.repository)
  if (!place) return true
  const failure = await look(means, place, stored)
  means.recoveryMetrics.compared(source.provider, failure ? 'failed' : 'read')
  if (failure) await noteFailure(means, place, failure)
  return failure?.outcome !== 'failed' || !isOfSource(failure)
}

/** What was pushed until the next look is nobody's business. */
async function noteNothing(means: Means, stored: store.StoredHeads): Promise<void> {
  if (!stored.noted) return
  await store.dropNotes(means.database.kysely, stored)
  await means.events.changes.forget(means.database.kysely, stored.sourceId, stored.repository)
}

type Failure = Exclude<ForgeAnswer<unknown>, { readonly outcome: 'found' }>

function isOfSource({ cause }: ForgeFailure): boolean {
  return cause === 'unreachable' || cause === 'limited' || cause === 'suspended'
}

async function noteFailure(means: Means, { repository, source }: HeadPlace, failure: Failure): Promise<void> {
  const db = means.database.kysely
  const now = means.clock.now()
  const later = (ms: number) => new Date(now.getTime() + Math.min(ms, DAY_MS))
  if (failure.outcome === 'not_found') {
    const reason = `The provider does not have ${repository}, or does not show it to the credential of the source.`
    const notBefore = later(UNSHOWN_PAUSE_MS)
    // It was removed, or is no longer for us: nothing is missing for that.
    return store.storeHeadsFailure(db, { sourceId: source.id, repository }, { failedAt: null, reason, notBefore })
  }
  const { reason, cause, retryAfterMs } = failure
  const notBefore = cause === 'limited' ? later(retryAfterMs ?? DEFAULT_PAUSE_MS) : null
  await store.storeHeadsFailure(db, { sourceId: source.id, repository }, { failedAt: now, reason, notBefore })
  if (notBefore) await store.pauseSource(db, source.id, notBefore)
}

async function look(means: Means, place: HeadPlace, stored: store.StoredHeads): Promise<Failure | undefined> {
  const lookedAt = means.clock.now()
  const seen = await see(place)
  if (seen.outcome !== 'found') return seen
  const db = means.database.kysely
  const { changes } = means.events
  const { sourceId, repository } = stored
  const suspicions = await changes.listSuspected(db, sourceId, repository)
  const judged = await judgeHeads(means, stored, seen.value, suspicions)
  if (!judged) {
    await noteAnew(means, stored, { seen: seen.value, lookedAt })
    return undefined
  }
  const untold = judged.untold.map((change) => ({ ...change, changeKey: keyOf(means, stored, change) }))
  const keys = new Set(untold.map(({ changeKey }) => changeKey))
  const settled = suspicions.filter((one) => !keys.has(keyOf(means, stored, one))).map(({ id }) => id)
  const isNoted = await means.database.transaction(async (tx) => {
    if (!(await store.storeNotes(tx, stored, { ...judged, lookedAt }))) return false
    await changes.dropSuspected(tx, settled)
    const gone = judged.gone.map((one) => keyOf(means, stored, one))
    await changes.endMade(tx, gone, new Date(means.clock.now().getTime() + ENDING_MS))
    await changes.suspect(
      tx,
      untold.map((change) => ({ ...change, id: means.ids.next(), sourceId, repository })),
      lookedAt,
    )
    return true
  })
  means.failPoints.hit('recovery.after_note')
  const withheld = isNoted ? await makeUntold(means, place, seen.value) : undefined
  if (withheld !== undefined) await store.storeReason(db, stored, withheld)
  return undefined
}

function keyOf(
  means: Means,
  { sourceId, repository }: store.HeardPlace,
  { ref, pullRequest }: { readonly ref: string | null; readonly pullRequest: number | null },
): string {
  return means.events.changes.keyOf(sourceId, repository, ref === null ? { pullRequest: pullRequest ?? 0 } : { ref })
}

async function see(place: HeadPlace): Promise<ForgeAnswer<SeenHeads>> {
  const pulls = await place.listOpenPulls()
  if (pulls.outcome !== 'found') return pulls
  const branches = await place.listBranches()
  if (branches.outcome !== 'found') return branches
  if (Math.max(branches.value.length, pulls.value.length) >= MOST_HEADS) {
    const reason = `${place.repository} has more branches or open pull requests than are compared (${MOST_HEADS}).`
    return { outcome: 'failed', reason, retry: false }
  }
  return { outcome: 'found', value: { branches: branches.value, pulls: pulls.value } }
}

/** The first look, and one after the source was disabled: nothing is missing from before. */
async function noteAnew(
  means: Means,
  stored: store.StoredHeads,
  { seen, lookedAt }: { readonly seen: SeenHeads; readonly lookedAt: Date },
): Promise<void> {
  const heads = Object.fromEntries(seen.branches.map(({ name, commitSha }) => [`refs/heads/${name}`, commitSha]))
  const pulls = Object.fromEntries(
    seen.pulls.map(({ pullRequest: { number, head } }) => [number, head.sha ?? head.sha_prefix ?? '']),
  )
  await means.database.transaction(async (tx) => {
    if (!(await store.storeNotes(tx, stored, { heads, pulls, lookedAt }))) return
    await means.events.changes.forget(tx, stored.sourceId, stored.repository)
  })
}

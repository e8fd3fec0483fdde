import type { ForgeAnswer, ForgeFailure } from '#adapters/forges'
import type { Means } from '../means.ts'
import { restOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { type HeadPlace, type KnownPlaces, openPlaces, whyUncompared } from './find-head-places.ts'
import { headsOf, judgeHeads } from './judge-heads.ts'
import { makeUntold } from './make-untold.ts'
import { noteHeard } from './note-heard.ts'
import { type SeenHeads, seeHeads } from './see-heads.ts'

const DAY_MS = 86_400_000
/** A repository that told of nothing for so long is not looked at. */
const HEARD_MS = 30 * DAY_MS
const PLACES_A_ROUND = 200
const DEFAULT_PAUSE_MS = 5 * 60_000
/** A provider that does not answer takes the time of all others. */
const UNREACHED_PAUSE_MS = 15 * 60_000
/** What the provider does not show, or refuses, is not asked for at each look. */
const UNSHOWN_PAUSE_MS = 3_600_000
/** What is being stored while a look ends was compared with what is there before: it counts as come before. */
const ENDING_MS = 10_000
/** A slow provider delays the others for no longer: a repository, and all of a source in one round. */
const REPOSITORY_MS = 60_000
const SOURCE_MS = 120_000

interface Round {
  readonly places: KnownPlaces
  readonly signal: AbortSignal
  /** By source. */
  readonly spentMs: Map<string, number>
}

/** Compares the heads of all repositories in turns, or of those of one source. What goes wrong with one delays no other. */
export async function compareHeads(means: Means, sourceId: string | undefined, signal: AbortSignal): Promise<void> {
  const db = means.database.kysely
  const now = means.clock.now()
  const heardSince = new Date(now.getTime() - HEARD_MS)
  const places = await openPlaces(means, signal)
  await noteHeard(means, places, { since: heardSince, signal })
  const sourceIds = await listCompared(means, places, sourceId)
  const round = { places, signal, spentMs: new Map<string, number>() }
  const failing = new Set<string>()
  const isAsked = sourceId !== undefined
  for (const turn of await store.listTurns(db, { sourceIds, isAsked, heardSince, now, limit: PLACES_A_ROUND })) {
    if (signal.aborted) throw new Error('the process ends; the next round goes on')
    if (failing.has(turn.sourceId)) continue
    try {
      if (!(await takeTurn(means, round, turn))) failing.add(turn.sourceId)
    } catch (error) {
      means.log.warn({ err: error, source_id: turn.sourceId }, 'a comparison of heads failed')
    }
  }
}

/** The others take no turns; of a source that is disabled, what was pushed until the next look is nobody's business. */
async function listCompared(
  means: Means,
  places: KnownPlaces,
  sourceId: string | undefined,
): Promise<readonly string[]> {
  const db = means.database.kysely
  const compared: string[] = []
  for (const id of sourceId === undefined ? await store.listSources(db) : [sourceId]) {
    const source = await places.source(id)
    if (source && whyUncompared(means, source) === undefined) {
      compared.push(id)
      continue
    }
    await store.clearFailures(db, id)
    if (source?.enabled === false && (await store.dropNotes(db, id))) await means.events.changes.forget(db, id)
  }
  return compared
}

/** False: the provider of the source cannot be asked now. */
async function takeTurn(means: Means, round: Round, turn: store.HeardPlace): Promise<boolean> {
  const db = means.database.kysely
  const { places, signal, spentMs } = round
  const stored = await store.findHeads(db, turn)
  if (!stored || !(await store.takeTurn(db, stored, means.clock.now()))) return true
  const source = await places.source(turn.sourceId)
  const spent = spentMs.get(turn.sourceId) ?? 0
  const budgetMs = Math.min(REPOSITORY_MS, SOURCE_MS - spent)
  if (budgetMs <= 0) return false
  const budget = AbortSignal.timeout(budgetMs)
  const place = source && places.find(source, stored.repository, AbortSignal.any([signal, budget]))
  if (!place) {
    await store.storeHeadsFailure(db, turn, { failedAt: null, reason: null, nextAt: null })
    return true
  }
  const startedAt = means.clock.monotonic()
  const failure = await look(means, place, stored)
  spentMs.set(turn.sourceId, spent + means.clock.monotonic() - startedAt)
  if (failure && signal.aborted) throw new Error('the process ends; the next round goes on')
  means.recoveryMetrics.compared(place.source.provider, failure ? 'failed' : 'read')
  if (!failure) return true
  const told = budget.aborted ? tooSlow(stored.repository, budgetMs) : failure
  return await noteFailure(means, place, told)
}

type Failure = Exclude<ForgeAnswer<unknown>, { readonly outcome: 'found' }>

function tooSlow(repository: string, budgetMs: number): ForgeFailure {
  const reason = `The heads of ${repository} were not read within ${Math.ceil(budgetMs / 1000)} s.`
  return { outcome: 'failed', reason, retry: true, cause: 'unreachable' }
}

/** False: it is one of the source. */
async function noteFailure(means: Means, { repository, source }: HeadPlace, failure: Failure): Promise<boolean> {
  const db = means.database.kysely
  const now = means.clock.now()
  const later = (ms: number) => new Date(now.getTime() + Math.min(ms, DAY_MS))
  const place = { sourceId: source.id, repository }
  if (failure.outcome === 'not_found') {
    const reason = `The provider does not have ${repository}, or does not show it to the credential of the source.`
    // It was removed, or is no longer for us: nothing is missing for that.
    await store.storeHeadsFailure(db, place, { failedAt: null, reason, nextAt: later(UNSHOWN_PAUSE_MS) })
    return true
  }
  const { reason, cause, status = 0, retryAfterMs } = failure
  // Renamed: its new name is looked at as soon as something tells of it.
  const failedAt = status >= 300 && status < 400 ? null : now
  const isUnshown = failedAt === null || cause === 'refused'
  await store.storeHeadsFailure(db, place, { failedAt, reason, nextAt: isUnshown ? later(UNSHOWN_PAUSE_MS) : null })
  const pauseMs = pauseOf(failure)
  if (pauseMs === undefined) return true
  const isAskedFor = cause === 'limited'
  const until = later(isAskedFor ? (retryAfterMs ?? pauseMs) : pauseMs)
  await store.pauseSource(db, source.id, { until, isAskedFor })
  return false
}

/** Of all that the source may ask; undefined: it is the repository's alone. */
function pauseOf({ cause, status }: ForgeFailure): number | undefined {
  if (cause === 'limited') return DEFAULT_PAUSE_MS
  if (cause === 'unreachable') return UNREACHED_PAUSE_MS
  return cause === 'suspended' || (cause === 'refused' && status === 401) ? UNSHOWN_PAUSE_MS : undefined
}

async function look(means: Means, place: HeadPlace, stored: store.StoredHeads): Promise<Failure | undefined> {
  const lookedAt = means.clock.now()
  const seen = await seeHeads(place, lookedAt)
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
  const nextAt = untold.length > 0 ? null : nextOf(stored, lookedAt)
  const isNoted = await means.database.transaction(async (tx) => {
    if (!(await store.storeNotes(tx, stored, { ...judged, lookedAt, nextAt }))) return false
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
  const withheld = isNoted ? await makeUntold(means, place) : undefined
  if (withheld !== undefined) await store.storeReason(db, stored, withheld)
  return undefined
}

/** Null: in the next round. Where nothing happens, nothing is missing. */
function nextOf({ heardAt }: store.StoredHeads, lookedAt: Date): Date | null {
  const rest = restOf(lookedAt.getTime() - heardAt.getTime())
  return rest === 0 ? null : new Date(lookedAt.getTime() + rest)
}

function keyOf(
  means: Means,
  { sourceId, repository }: store.HeardPlace,
  { ref, pullRequest }: { readonly ref: string | null; readonly pullRequest: number | null },
): string {
  return means.events.changes.keyOf(sourceId, repository, ref === null ? { pullRequest: pullRequest ?? 0 } : { ref })
}

/** The first look, and one after the source was disabled: nothing is missing from before. */
async function noteAnew(
  means: Means,
  stored: store.StoredHeads,
  { seen, lookedAt }: { readonly seen: SeenHeads; readonly lookedAt: Date },
): Promise<void> {
  const notes = { ...headsOf(seen), lookedAt, nextAt: nextOf(stored, lookedAt) }
  await means.database.transaction(async (tx) => {
    if (!(await store.storeNotes(tx, stored, notes))) return
    await means.events.changes.forget(tx, stored.sourceId, stored.repository)
  })
}

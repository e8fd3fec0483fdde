import type { ForgeOpenPull } from '#adapters/forges'
import type { Queryable } from '#platform/database'
import { madeAt } from '#platform/ids'
import type { Means } from '../means.ts'
import { judgePull, judgeRef, listGone, noteAbsent, notedHead, type ToldPush } from '../rules/index.ts'
import type { HeadNotes, StoredHeads } from '../store/index.ts'
import type { SeenHeads } from './see-heads.ts'

/** A push may be told before the provider shows it, and clocks differ. */
const OVERLAP_MS = 15 * 60_000
/** For so long the last delivery of a kind says that the webhook sends it. */
const SENT_MS = 30 * 86_400_000
/** So many new ones in one look wait for the next. */
const MOST_SUSPECTED = 200

/** Of a ref or a pull request, nobody told that it came to its head. */
export interface UntoldChange {
  readonly ref: string | null
  readonly pullRequest: number | null
  readonly before: string | null
  readonly head: string
  readonly headAt: Date | null
  readonly notedAt: Date
}

export interface JudgedHeads {
  readonly heads: HeadNotes
  readonly pulls: HeadNotes
  readonly untold: readonly UntoldChange[]
  /** Two looks in a row did not see them. */
  readonly gone: readonly Pick<UntoldChange, 'ref' | 'pullRequest'>[]
}

type Suspicions = Awaited<ReturnType<Means['events']['changes']['listSuspected']>>

interface Told {
  readonly pushes: ReadonlyMap<string, readonly { readonly at: Date; before: string | null; after: string | null }[]>
}

export function headOf({ pullRequest: { head } }: ForgeOpenPull): string {
  return head.sha ?? head.sha_prefix ?? ''
}

/** Undefined: what was told since the note cannot be followed, or nobody wanted it; then it is noted anew. */
export async function judgeHeads(
  means: Means,
  stored: StoredHeads,
  seen: SeenHeads,
  suspicions: Suspicions,
): Promise<JudgedHeads | undefined> {
  const { noted } = stored
  if (!noted) return undefined
  const db = means.database.kysely
  const oldest = Math.min(noted.at.getTime(), ...suspicions.map(({ notedAt }) => notedAt.getTime()))
  if (await means.sources.cameWhileDisabled(db, stored.sourceId, new Date(oldest))) return undefined
  const told = await readTold(means, db, stored, new Date(oldest))
  if (!told) return undefined
  const known = await withMade(means, stored, noted)
  const { heads, pulls: shown } = headsOf(seen)
  const branches = isSent(means, stored.pushedAt)
    ? judgeBranches(seen, known, { told, suspicions })
    : { notes: heads, untold: [], gone: [] }
  const pulls = isSent(means, stored.pulledAt)
    ? await judgePulls(means, stored, seen, known)
    : { notes: shown, untold: [], gone: [] }
  return {
    heads: branches.notes,
    pulls: pulls.notes,
    untold: [...branches.untold, ...pulls.untold].slice(0, MOST_SUSPECTED),
    gone: [
      ...branches.gone.map((ref) => ({ ref, pullRequest: null })),
      ...pulls.gone.map((number) => ({ ref: null, pullRequest: Number(number) })),
    ],
  }
}

/** A webhook may be for pushes alone, or may have been removed on purpose: what it would not send is not missed. */
function isSent(means: Means, at: Date | null): boolean {
  return at !== null && means.clock.now().getTime() - at.getTime() < SENT_MS
}

/** In place of notes: none was shown, so that the first ones are nothing new. */
const UNSHOWN = { unshown: '' }

/** What is there, as notes. */
export function headsOf({ branches, pulls }: SeenHeads): { readonly heads: HeadNotes; readonly pulls: HeadNotes } {
  return {
    heads: Object.fromEntries(branches.map(({ name, commitSha }) => [`refs/heads/${name}`, commitSha])),
    pulls: pulls ? Object.fromEntries(pulls.map((pull) => [pull.pullRequest.number, headOf(pull)])) : UNSHOWN,
  }
}

/** The pushes that came through the source since a note, those of its own app too, by ref. */
export async function readTold(
  means: Means,
  db: Queryable,
  { sourceId, repository }: Pick<StoredHeads, 'sourceId' | 'repository'>,
  notedAt: Date,
): Promise<Told | undefined> {
  const since = new Date(notedAt.getTime() - OVERLAP_MS)
  const told = await means.events.changes.listTold(db, { sourceId, repository, since })
  if (!told) return undefined
  const ignored = await means.sources.listIgnoredPushes(db, sourceId, repository, since)
  // An ignored delivery may have an event all the same, which says more.
  const withEvent = new Set(told.map(({ deliveryRecordId }) => deliveryRecordId))
  const own = ignored.filter(({ deliveryRecordId }) => !withEvent.has(deliveryRecordId))
  const pushes = [
    ...told.flatMap(({ eventId: id, ref, before, after, isLate }) => (isLate ? [] : [{ id, ref, before, after }])),
    ...own.map(({ deliveryRecordId, ref, after }) => ({ id: deliveryRecordId, ref, before: null, after })),
  ]
  const inOrder = pushes.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const dated = inOrder.map(({ id, ...push }) => ({ ...push, at: madeAt(id) }))
  return { pushes: Map.groupBy(dated, ({ ref }) => ref ?? '') }
}

interface RefLooked {
  readonly noted: string | null
  readonly head: string
  readonly notedAt: Date
  /** Before the head was asked for. */
  readonly seenAt: Date
}

/** Where the ref was, and whether its head was told. */
export function judgeOne({ pushes }: Told, ref: string, facts: RefLooked) {
  const told = (pushes.get(ref) ?? []).map(
    ({ at, before, after }): ToldPush => ({
      before,
      after,
      isEarlier: at < facts.notedAt,
      isSinceLook: at >= facts.seenAt,
    }),
  )
  return judgeRef({ noted: facts.noted, head: facts.head, told })
}

/** `left`: what is not seen is gone from there. */
type Noted = NonNullable<StoredHeads['noted']> & { readonly left: Record<'heads' | 'pulls', HeadNotes> }

/** A made event may have no note yet: what it left may be gone before a look sees it there. */
async function withMade(
  means: Means,
  { sourceId, repository }: StoredHeads,
  noted: NonNullable<StoredHeads['noted']>,
): Promise<Noted> {
  const { changes } = means.events
  const since = new Date(means.clock.now().getTime() - changes.lateMs)
  const made = await changes.listMade(means.database.kysely, { sourceId, repository, since })
  const heads = Object.fromEntries(made.flatMap(({ ref, head }) => (ref === null ? [] : [[ref, head]])))
  const pulls = Object.fromEntries(made.flatMap(({ pullRequest, head }) => (pullRequest ? [[pullRequest, head]] : [])))
  return { ...noted, left: { heads: { ...heads, ...noted.heads }, pulls: { ...pulls, ...noted.pulls } } }
}

interface Judged {
  readonly notes: HeadNotes
  readonly gone: readonly string[]
  readonly untold: readonly UntoldChange[]
}

/** A ref whose head nobody told of keeps its note until an event tells of it. */
function judgeBranches(
  { at: seenAt, branches }: SeenHeads,
  noted: Noted,
  { told, suspicions }: { readonly told: Told; readonly suspicions: Suspicions },
): Judged {
  const seen = new Map(branches.map(({ name, commitSha }) => [`refs/heads/${name}`, commitSha]))
  const notes = noteAbsent(noted.left.heads, seen)
  const untold: UntoldChange[] = []
  const since = new Map(suspicions.map(({ ref, notedAt }) => [ref, notedAt]))
  for (const [ref, head] of seen) {
    const note = noted.heads[ref]
    const before = note === undefined ? null : notedHead(note)
    const notedAt = since.get(ref) ?? noted.at
    const { isTold, position } = judgeOne(told, ref, { noted: before, head, notedAt, seenAt })
    if (isTold) notes[ref] = head
    else {
      if (before !== null) notes[ref] = before
      untold.push({ ref, pullRequest: null, before: position, head, headAt: null, notedAt })
    }
  }
  return { notes, untold, gone: listGone(noted.left.heads, seen) }
}

async function judgePulls(
  means: Means,
  { sourceId, repository }: StoredHeads,
  { pulls }: SeenHeads,
  noted: Noted,
): Promise<Judged> {
  if (!pulls) return { notes: noted.pulls, untold: [], gone: [] }
  const isFirst = Object.keys(UNSHOWN).some((name) => name in noted.pulls)
  if (isFirst) return { notes: headsOf({ branches: [], pulls, at: noted.at }).pulls, untold: [], gone: [] }
  const seen = new Map(pulls.map((pull) => [String(pull.pullRequest.number), pull]))
  const notes = noteAbsent(noted.left.pulls, seen)
  const untold: UntoldChange[] = []
  const numbers = pulls.map(({ pullRequest }) => pullRequest.number)
  const told = await means.events.changes.listToldHeads(means.database.kysely, sourceId, repository, numbers)
  const toldHeads = new Map(told.map(({ number, head }) => [number, head ?? undefined]))
  for (const [number, pull] of seen) {
    const note = noted.pulls[number]
    const before = note === undefined ? undefined : notedHead(note)
    const head = headOf(pull)
    const { number: pullRequest } = pull.pullRequest
    if (judgePull({ noted: before, told: toldHeads.get(pullRequest), head }) === undefined) notes[number] = head
    else {
      if (before !== undefined) notes[number] = before
      const headAt = pull.updatedAt === null ? null : new Date(pull.updatedAt)
      untold.push({
        ref: null,
        pullRequest,
        before: before ?? toldHeads.get(pullRequest) ?? null,
        head,
        headAt,
        notedAt: noted.at,
      })
    }
  }
  return { notes, untold, gone: listGone(noted.left.pulls, seen) }
}

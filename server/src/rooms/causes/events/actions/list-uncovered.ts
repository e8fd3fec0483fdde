import { sha256 } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import { changeKeyOf, isPushCovered } from '../rules/index.ts'
import { LATE_DAYS } from '../store/starts.ts'
import { findMade } from '../store/suspected.ts'
import { listTold, MOST_TOLD, type ToldChange } from '../store/told-changes.ts'

const LATE_MS = LATE_DAYS * 86_400_000

export interface UncoveredAsked {
  readonly sourceId: string
  readonly repository: string
  readonly since: Date
}

/** A branch, or a pull request by its number. */
export type ChangePlace = { readonly ref: string } | { readonly pullRequest: number }

/** The digest by which a change is known, in 64 hex digits. */
export function changeKeyAt(sourceId: string, repository: string, place: ChangePlace): string {
  const named = { repository: { full_name: repository } }
  const text =
    'ref' in place
      ? changeKeyOf(sourceId, { ...named, kind: 'push', action: 'updated', ref: place.ref, number: undefined })
      : changeKeyOf(sourceId, {
          ...named,
          kind: 'pull_request',
          action: 'opened',
          ref: null,
          number: place.pullRequest,
        })
  if (text === undefined) throw new Error('a change without a ref or number has no key')
  return sha256(text).toString('hex')
}

/**
 * The pushes that a source told of in a repository, oldest first, less those that came late: they tell of what was before
 * an event that this service made. Undefined: there are too many to follow.
 */
export async function listUncovered(
  db: Queryable,
  { sourceId, repository, since }: UncoveredAsked,
): Promise<readonly ToldChange[] | undefined> {
  const told = await listTold(db, { sourceId, repository, since, kinds: ['push', 'branch_deleted'] })
  if (told.length >= MOST_TOLD) return undefined
  const refs = [...new Set(told.flatMap(({ ref }) => ref ?? []))]
  const keys = refs.map((ref) => changeKeyAt(sourceId, repository, { ref }))
  const made = keys.length === 0 ? [] : await findMade(db, keys, new Date(since.getTime() - LATE_MS))
  return told.filter(({ eventId, ...change }, at) => {
    const ofRef = made.filter((one) => one.ref === change.ref && one.eventId < eventId)
    return !ofRef.some((one) => {
      const later = told.slice(0, at).filter((other) => other.ref === change.ref && other.eventId > one.eventId)
      return isPushCovered(change, one, later)
    })
  })
}

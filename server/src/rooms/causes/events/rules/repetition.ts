import type { Event, EventRepository } from '@signalbox/contracts/event'

/** The repository of an event, beside its name: two mirrors may have equal names and commits. */
export interface Place {
  /** The repository's page, or else its clone address, without scheme; null: the event does not say. */
  readonly page: string | null
  readonly repositoryId: string | null
}

export function placeOf({ web_url: webUrl, clone_url: cloneUrl, id }: EventRepository): Place {
  const address = webUrl ?? cloneUrl
  const page = address?.toLowerCase().replace(/^[a-z+]+:\/\/(?:[^/@]*@)?|\/+$|(?:\.git)?\/*$/g, '')
  return { page: page ?? null, repositoryId: id }
}

/** A field that one event leaves out agrees with every value. */
function agree(one: Place, other: Place): boolean {
  return mayBeSame(one.page, other.page) && mayBeSame(one.repositoryId, other.repositoryId)
}

function mayBeSame(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other
}

const CHANGES: ReadonlySet<string> = new Set([
  'push',
  'tag',
  'branch_deleted',
  'tag_deleted',
  'ref',
  'pull_request_review',
])

/**
 * Whether a ref was made, moved or removed, or its pull request reviewed, without a time. Only the other changes of the
 * ref then tell two such changes apart.
 */
export function isUntimedChange({ kind, ref, occurred_at: occurredAt }: Event): boolean {
  return ref !== null && occurredAt === null && CHANGES.has(kind)
}

/** An earlier start for the same text. */
export interface Claim extends Place {
  readonly generation: number
  readonly madeAt: Date
}

/** A hook's message about a change of a ref. `change` is the digest of what happened. */
export interface Telling {
  readonly kind: string
  readonly change: string
  readonly at: Date
}

/**
 * The start for the same text that an event repeats; undefined: the event is a change of its own. `before`: what the
 * same hook told of the ref until now, oldest first. Each hook tells of each change once and in order. A hook that
 * tells of a change again, after another change, therefore means the second start.
 */
export function findRepeated<C extends Claim>(
  told: Place & Pick<Telling, 'kind' | 'change'>,
  claims: readonly C[],
  before: readonly Telling[],
): C | undefined {
  const same = claims.filter((claim) => agree(claim, told)).toSorted((one, other) => one.generation - other.generation)
  const [oldest] = same
  if (!oldest) return undefined
  let times = 0
  let last: string | undefined
  for (const telling of before) {
    if (telling.at < oldest.madeAt || !isBetween(told.kind, telling.kind)) continue
    if (telling.change === told.change && last !== told.change) times += 1
    last = telling.change
  }
  if (last === told.change) return same[Math.max(times, 1) - 1] ?? same.at(-1)
  return same[times]
}

/** Some providers send `ref` beside a push: the same change once more, which ends nothing. */
function isBetween(told: string, other: string): boolean {
  return told === 'ref' ? other !== 'push' && other !== 'tag' : other !== 'ref'
}

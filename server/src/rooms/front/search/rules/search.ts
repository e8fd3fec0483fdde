import { SEARCH_KINDS, type SearchKind } from '@signalbox/contracts/search'

const MAX_WORDS = 8
/** Of one kind, where several are asked: pipelines by the thousand must not hide the one team. */
const MOST_OF_A_KIND = 8

/** What was typed, as rooms compare it. */
export interface TypedWish {
  readonly text: string
  readonly words: readonly string[]
  readonly limit: number
}

/** Undefined where nothing was typed but spaces. */
export function readWish(typed: string, limit: number, kinds: number): TypedWish | undefined {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  const most = kinds === 1 ? limit : Math.min(limit, MOST_OF_A_KIND)
  return { text: words.join(' '), words: [...new Set(words)].slice(0, MAX_WORDS), limit: most }
}

/** The kinds of a query such as `pipeline,run`; all where none is named. The shape has checked the names. */
export function readKinds(named: string | undefined): readonly SearchKind[] {
  const wanted = named?.split(',')
  return SEARCH_KINDS.filter((kind) => wanted === undefined || wanted.includes(kind))
}

interface Ranked {
  readonly kind: SearchKind
  readonly rank: number
}

/** The closest first; equally close ones in the order of kinds, then as their room found them. */
export function mergeFound<Found extends Ranked>(found: readonly Found[], limit: number): readonly Found[] {
  const order = (kind: SearchKind): number => SEARCH_KINDS.indexOf(kind)
  return found.toSorted((left, right) => left.rank - right.rank || order(left.kind) - order(right.kind)).slice(0, limit)
}

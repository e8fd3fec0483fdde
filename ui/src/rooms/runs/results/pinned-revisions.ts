import type { Run } from '../run.ts'

type Pin = Run['pins'][number]

/** One revision that held, and for what. */
export interface PinnedRevision {
  readonly id: string
  readonly item: string
  readonly kind: string
  readonly revision: number
  /** "the run", "step build" or "build/compile", in the order in which they began. */
  readonly places: readonly string[]
}

/** So many places are named; more are counted. */
const NAMED = 8

/** The revisions of a run, each once. */
export function pinnedRevisions(pins: readonly Pin[]): readonly PinnedRevision[] {
  const groups = Map.groupBy(pins, ({ revision_id }) => revision_id)
  return [...groups].flatMap(([id, [first, ...rest]]) =>
    first === undefined
      ? []
      : [{ id, item: first.item, kind: first.kind, revision: first.revision, places: placesOf([first, ...rest]) }],
  )
}

function placesOf(pins: readonly Pin[]): readonly string[] {
  const more = pins.length - NAMED
  return [...pins.slice(0, NAMED).map(placeOf), ...(more > 0 ? [`${more} more`] : [])]
}

function placeOf({ step, task }: Pin): string {
  if (step === null) return 'the run'
  return task === null ? `step ${step}` : `${step}/${task}`
}

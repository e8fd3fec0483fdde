import type { LiveChange, LiveChangeKind } from '#platform/live'

/** What a stream has not told yet of one topic: one change, however many there were. */
export interface Untold {
  readonly id: string | null
  readonly change: LiveChangeKind
  /** The number of the first change in it. */
  readonly first: number
}

/** The last state wins. A thing that is new to the reader stays new until it is gone. */
export function joinChange(
  untold: Untold | undefined,
  { id, change }: Pick<LiveChange, 'id' | 'change'>,
  number: number,
): Untold {
  if (!untold) return { id, change, first: number }
  const { first } = untold
  if (untold.id === null || untold.id !== id) return { id: null, change: 'many', first }
  const isStillNew = untold.change === 'created' && change === 'changed'
  return { id, change: isStillNew ? 'created' : change, first }
}

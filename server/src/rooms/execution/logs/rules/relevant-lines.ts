/** A line that was looked at. */
export interface JudgedLine {
  readonly number: number
  readonly text: string
  /** No success had one like it, and no line before it was like it; always false where no success is known. */
  readonly isNew: boolean
  readonly isError: boolean
}

export type ChosenBy = 'new_lines' | 'error_lines' | 'tail' | 'none'

export interface Chosen {
  readonly how: ChosenBy
  /** In their order, each once. */
  readonly lines: readonly JudgedLine[]
  /** Lines of that kind which are not among them. */
  readonly left: number
}

/** An agent reads them all at once; more would be a log again. */
export const MOST_LINES = 50
/** Beside the first error: what was done, and what it said next. */
const CONTEXT = 2
/** Of a task that was ended in the middle of its work: there it hung, or what it did last. */
const LAST_OF_ENDED = 5
/** Of too many new lines, so many are kept for the last ones: there the task says why it gave up. */
const LAST_LINES = 10

export interface Circumstances {
  /** Lines were compared with those of a success. */
  readonly hasSuccess: boolean
  /** Somebody or something ended the task: its last lines are wanted, too. */
  readonly wasEnded: boolean
}

/**
 * The lines that tell why a task failed: those that are new, else those that look like errors, else the last ones. With
 * two lines before and after the first error.
 */
export function chooseLines(judged: readonly JudgedLine[], { hasSuccess, wasEnded }: Circumstances): Chosen {
  const last = wasEnded ? LAST_OF_ENDED : 0
  const fresh = hasSuccess ? placesOf(judged, ({ isNew }) => isNew) : []
  const errors = placesOf(judged, ({ isError }) => isError)
  if (fresh.length > 0) return choose(judged, fresh, { how: 'new_lines', last })
  if (errors.length > 0) return choose(judged, errors, { how: 'error_lines', last })
  const tail = judged.slice(-MOST_LINES)
  return { how: tail.length > 0 ? 'tail' : 'none', lines: tail, left: judged.length - tail.length }
}

function choose(
  judged: readonly JudgedLine[],
  wanted: readonly number[],
  { how, last }: { readonly how: ChosenBy; readonly last: number },
): Chosen {
  const taken = new Set<number>()
  const take = (place: number): void => {
    if (taken.size < MOST_LINES && place >= 0 && place < judged.length) taken.add(place)
  }
  const errors = wanted.filter((place) => judged[place]?.isError)
  const first = errors[0] ?? wanted[0] ?? 0
  takeAround(first, take)
  for (let back = 1; back <= last; back++) take(judged.length - back)
  if (wanted.length + taken.size > MOST_LINES) {
    for (const place of wanted.slice(-LAST_LINES)) take(place)
    for (const place of errors) take(place)
  }
  for (const place of wanted) take(place)
  // What stands beside further errors, as far as there is room.
  for (const place of errors) takeAround(place, take)
  const places = [...taken].sort((one, other) => one - other)
  return {
    how,
    lines: places.flatMap((place) => judged[place] ?? []),
    left: wanted.filter((place) => !taken.has(place)).length,
  }
}

function takeAround(place: number, take: (place: number) => void): void {
  for (let at = place - CONTEXT; at <= place + CONTEXT; at++) take(at)
}

function placesOf(judged: readonly JudgedLine[], isWanted: (line: JudgedLine) => boolean): number[] {
  return judged.flatMap((line, place) => (isWanted(line) ? [place] : []))
}

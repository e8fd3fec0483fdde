/** How much an answer may show of its lists and texts. */
export interface Limits {
  /** Characters that a list of this height may take; a list without lists in it has height 1. */
  readonly listOf: (height: number) => number
  /** Characters of a text among the facts. */
  readonly text: number
  /** Characters of a quoted line. */
  readonly line: number
}

/** Nothing is cut but single texts that are very long. */
export const WHOLE: Limits = { listOf: () => Infinity, text: 2000, line: 500 }

export interface Fitting {
  /** The length of the answer when nothing is cut. */
  readonly whole: number
  /** The length of the answer within these limits. */
  readonly lengthWithin: (limits: Limits) => number
  /** The height of the highest list. */
  readonly height: number
  readonly budget: number
}

/** With fewer characters the items of a list would say nothing: lists further out lose items first. */
const SMALLEST_LIST = 300
/** Beyond that, a larger list would not be worth another look at the whole answer. */
const PRECISION = 32
/**
 * A list that weighs so much more than the budget cannot be shown, though weights are rough: the same text counts each
 * time. To look at all of a longer one would cost more, and tell nothing else.
 */
const LARGEST = 8

/**
 * The widest limits within which an answer keeps its budget; undefined where there are none. First long texts are
 * shortened. Then lists lose their middle: all lists of one height to the same size, the innermost first. So of five
 * logs each keeps some lines, and small lists stay whole.
 */
export function fitLimits(fitting: Fitting): Limits | undefined {
  const { lengthWithin, height, budget } = fitting
  const fits = (limits: Limits): boolean => lengthWithin(limits) <= budget
  for (const text of [500, 200]) {
    const limits = { ...WHOLE, text }
    const mayFit = fitting.whole * text <= budget * WHOLE.text
    if (mayFit && fits(limits)) return limits
  }
  for (const text of [500, 120, 50]) {
    const texts = { text, line: text }
    for (let level = 1; level <= height; level++) {
      const found = largestList(fitting, (size) => ({ ...texts, listOf: sizesUpTo(level, size, budget * LARGEST) }))
      if (found) return found
    }
    const fewest = { ...texts, listOf: () => 0 }
    if (fits(fewest)) return fewest
  }
  return undefined
}

function sizesUpTo(level: number, size: number, largest: number): (height: number) => number {
  return (height) => (height < level ? SMALLEST_LIST : height === level ? size : largest)
}

function largestList({ lengthWithin, budget }: Fitting, limitsFor: (size: number) => Limits): Limits | undefined {
  let fitting = SMALLEST_LIST
  let tooLarge = budget * LARGEST
  if (lengthWithin(limitsFor(fitting)) > budget) return undefined
  while (tooLarge - fitting > PRECISION) {
    const size = Math.floor((fitting + tooLarge) / 2)
    if (lengthWithin(limitsFor(size)) <= budget) fitting = size
    else tooLarge = size
  }
  return limitsFor(fitting)
}

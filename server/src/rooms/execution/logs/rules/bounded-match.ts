import type { RE2JS } from '@bufbuild/re2'

type Engine = ReturnType<RE2JS['re2']>
type Input = Parameters<Engine['executeEngine']>[0]
type Literal = Parameters<Input['hasString']>[0]

/** Characters between two looks at the time: with a large expression one may cost a millisecond. */
const LOOK_EVERY = 8
const END = -8
const UNANCHORED = 0

class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * Whether an expression matches anywhere in a text; undefined where the time was up before that was known. The time of a
 * match grows with the text and the expression only, but both may be large. A counted repetition over one long line takes
 * many seconds, and would block the process.
 */
export function matchBounded(expression: RE2JS, text: string, isTimeUp: () => boolean): boolean | undefined {
  try {
    return expression.re2().executeEngine(new BoundedInput(text, isTimeUp), 0, UNANCHORED, 0) !== null
  } catch (error) {
    if (error instanceof TimeUp) return undefined
    throw error
  }
}

/** A text as the library reads it: character by character, which is where it can be stopped. */
class BoundedInput implements Input {
  charSequence: string
  start = 0
  end: number
  readonly #isTimeUp: () => boolean
  #steps = 0

  constructor(text: string, isTimeUp: () => boolean) {
    this.charSequence = text
    this.end = text.length
    this.#isTimeUp = isTimeUp
  }

  endPos(): number {
    return this.end
  }

  /** The code point at a place, above the three bits that say how many UTF-16 units it takes. */
  step(at: number): number {
    if (++this.#steps % LOOK_EVERY === 0 && this.#isTimeUp()) throw new TimeUp()
    const codePoint = this.charSequence.codePointAt(at)
    if (codePoint === undefined) return END
    return (codePoint << 3) | (codePoint > 0xffff ? 2 : 1)
  }

  hasString(literal: Literal, from: number): boolean {
    return this.charSequence.includes(literal.str, from)
  }

  index({ prefix }: Engine, from: number): number {
    const at = this.charSequence.indexOf(prefix, from)
    return at < 0 ? at : at - from
  }

  prefixLength({ prefix }: Engine): number {
    return prefix.length
  }

  /** Asked only by engines that tell where a match lies. */
  context(at: number): number {
    throw new RangeError(`No engine that only tells whether there is a match asks what stands around ${at}`)
  }
}

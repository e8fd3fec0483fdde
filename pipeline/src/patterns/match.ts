import { foldCase, type Parsed, parsePattern, type Step } from './parse.ts'

export interface MatchOptions {
  /** Letters of ASCII are equal in both cases. Default: false. */
  readonly caseInsensitive?: boolean
}

/**
 * The effort that comparing may still take, in places of patterns times characters; below zero every answer is "no".
 */
export interface Effort {
  left: number
}

/** Whether the whole value fits. With an effort that is spent meanwhile the answer is "no" and means nothing. */
export type PatternMatch = (value: string, effort?: Effort) => boolean

/** A pattern that cannot be read; `problem` says why. */
export class PatternError extends Error {
  readonly code = 'pattern.invalid'
  readonly pattern: string
  readonly problem: string

  constructor(pattern: string, problem: string) {
    super(`pattern "${pattern}": ${problem}`)
    this.name = 'PatternError'
    this.pattern = pattern
    this.problem = problem
  }
}

/** Why a pattern (with or without a leading "!") cannot be used; undefined when it can. */
export function validatePattern(pattern: string): string | undefined {
  const result = parsePattern(withoutExclusion(pattern), false)
  return result.ok ? undefined : result.problem
}

/** Whether the whole value fits the pattern. A leading "!" is an ordinary character here: it means something in lists only. */
export function matchesPattern(pattern: string, value: string, options: MatchOptions = {}): boolean {
  return compilePattern(pattern, options)(value)
}

/** The pattern as a test of values. Throws `PatternError`. Time grows with pattern length times value length, never faster. */
export function compilePattern(pattern: string, options: MatchOptions = {}): PatternMatch {
  const fold = options.caseInsensitive === true
  const result = parsePattern(pattern, fold)
  if (!result.ok) throw new PatternError(pattern, result.problem)
  return matcher(result.parsed, fold)
}

export function isExclusion(pattern: string): boolean {
  return pattern.startsWith('!')
}

export function withoutExclusion(pattern: string): string {
  return isExclusion(pattern) ? pattern.slice(1) : pattern
}

function matcher(parsed: Parsed, fold: boolean): PatternMatch {
  const holds = fold
    ? (value: string, text: string, at: number) => holdsFolded(value, text, at)
    : (value: string, text: string, at: number) => value.startsWith(text, at)
  if (parsed.kind === 'literal') {
    const { text } = parsed
    return (value) => value.length === text.length && holds(value, text, 0)
  }
  const { prefix, suffix, steps } = parsed
  const program = new Program(steps)
  return (value, effort) => {
    if (value.length < prefix.length || value.length < suffix.length) return false
    if (!holds(value, prefix, 0) || !holds(value, suffix, value.length - suffix.length)) return false
    return program.run(value, fold, effort)
  }
}

function holdsFolded(value: string, text: string, at: number): boolean {
  for (let offset = 0; offset < text.length; offset += 1) {
    if (foldCase(value.charCodeAt(at + offset)) !== foldCase(text.charCodeAt(offset))) return false
  }
  return true
}

/** Places that one pattern keeps in memory: a nested one has as many as the square of its length. */
const MAX_KEPT = 4_000

/**
 * Follows all places that the pattern can be at together, one code point after the other. No pattern makes the match go
 * back: each step is looked at once per code point at most.
 */
class Program {
  readonly #steps: readonly Step[]
  /** The places that are reached from a step without taking a character; found when first asked for, the first ones kept. */
  readonly #reached = new Map<number, readonly number[]>()
  #kept = 0

  constructor(steps: readonly Step[]) {
    this.#steps = steps
  }

  run(value: string, fold: boolean, effort: Effort | undefined): boolean {
    const steps = this.#steps
    const seenAt = new Int32Array(steps.length + 1).fill(-1)
    let current = [...this.#from(0)]
    let next: number[] = []
    let at = 0
    while (at < value.length) {
      let looked = current.length
      const given = value.codePointAt(at) ?? 0
      const code = fold ? foldCase(given) : given
      at += given > 0xffff ? 2 : 1
      next.length = 0
      for (const index of current) {
        const step = steps[index]
        if (step?.op !== 'take' || !step.fits(code)) continue
        const reached = this.#from(index + 1)
        looked += reached.length
        for (const place of reached) {
          if (seenAt[place] === at) continue
          seenAt[place] = at
          next.push(place)
        }
      }
      if (effort && (effort.left -= looked) < 0) return false
      if (next.length === 0) return false
      const spent = current
      current = next
      next = spent
    }
    return current.includes(steps.length)
  }

  #from(first: number): readonly number[] {
    const known = this.#reached.get(first)
    if (known) return known
    const places = this.#reach(first)
    if (this.#kept + places.length <= MAX_KEPT) {
      this.#reached.set(first, places)
      this.#kept += places.length
    }
    return places
  }

  #reach(first: number): readonly number[] {
    const places: number[] = []
    const seen = new Set<number>()
    const pending = [first]
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (seen.has(index)) continue
      seen.add(index)
      const step = this.#steps[index]
      if (step?.op === 'jump') pending.push(step.to)
      else if (step?.op === 'fork') pending.push(step.also, index + 1)
      else places.push(index)
    }
    return places
  }
}

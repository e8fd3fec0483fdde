import { foldCase, type Parsed, parsePattern, type Step } from './parse.ts'

export interface MatchOptions {
  /** Letters of ASCII are equal in both cases. Default: false. */
  readonly caseInsensitive?: boolean
}

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
export function compilePattern(pattern: string, options: MatchOptions = {}): (value: string) => boolean {
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

function matcher(parsed: Parsed, fold: boolean): (value: string) => boolean {
  if (parsed.kind === 'literal') {
    const { text } = parsed
    return fold
      ? (value) => equalsFolded(value, text, text.length) && value.length === text.length
      : (value) => value === text
  }
  const { prefix, steps } = parsed
  return (value) => {
    const starts = fold ? equalsFolded(value, prefix, prefix.length) : value.startsWith(prefix)
    return starts && run(steps, value, fold)
  }
}

function equalsFolded(value: string, text: string, length: number): boolean {
  if (value.length < length) return false
  for (let at = 0; at < length; at += 1) {
    if (foldCase(value.charCodeAt(at)) !== foldCase(text.charCodeAt(at))) return false
  }
  return true
}

/**
 * Follows all places that the pattern can be at together, one code point after the other, so that no pattern can make it
 * go back: each step is looked at once per code point at most.
 */
function run(steps: readonly Step[], value: string, fold: boolean): boolean {
  let current: number[] = []
  let next: number[] = []
  const seenAt = new Int32Array(steps.length + 1).fill(-1)
  enter(steps, 0, current, seenAt, 0)

  let at = 0
  while (at < value.length) {
    const given = value.codePointAt(at) ?? 0
    const code = fold ? foldCase(given) : given
    at += given > 0xffff ? 2 : 1
    next.length = 0
    for (const index of current) {
      const step = steps[index]
      if (step?.op === 'take' && step.fits(code)) enter(steps, index + 1, next, seenAt, at)
    }
    if (next.length === 0) return false
    const spent = current
    current = next
    next = spent
  }
  return current.includes(steps.length)
}

/** Adds a place and all that is reached from it without taking a character. `seenAt` keeps each from being added twice. */
function enter(steps: readonly Step[], first: number, places: number[], seenAt: Int32Array, at: number): void {
  const pending = [first]
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seenAt[index] === at) continue
    seenAt[index] = at
    const step = steps[index]
    if (step?.op === 'jump') pending.push(step.to)
    else if (step?.op === 'fork') pending.push(step.also, index + 1)
    else places.push(index)
  }
}

/** Patterns longer than this are refused: real ones are far shorter, and matching time grows with the length. */
export const MAX_PATTERN_LENGTH = 200

/** One step of a compiled pattern: take a code point that fits and go on, or go on at two places without taking any. */
export type Step =
  | { readonly op: 'take'; readonly fits: (code: number) => boolean }
  | { readonly op: 'fork'; readonly also: number }
  | { readonly op: 'jump'; readonly to: number }

/** A literal is `text` as it stands; the others are run step by step. Every match begins with `prefix`, ends with `suffix`. */
export type Parsed =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'steps'; readonly prefix: string; readonly suffix: string; readonly steps: readonly Step[] }

export type ParseResult =
  | { readonly ok: true; readonly parsed: Parsed }
  | { readonly ok: false; readonly problem: string }

const SLASH = 47
const SPECIAL = /[*?[\]{}\\]/

/** Reads a pattern without its leading "!". `fold` makes ASCII letters equal in both cases. */
export function parsePattern(pattern: string, fold: boolean): ParseResult {
  if (pattern === '') return problem('the pattern is empty')
  if (pattern.length > MAX_PATTERN_LENGTH) return problem(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`)
  if (!pattern.isWellFormed() || pattern.includes('\0'))
    return problem('the pattern holds a character that no name can hold')
  if (!SPECIAL.test(pattern)) return { ok: true, parsed: { kind: 'literal', text: pattern } }
  return new Parser(pattern, fold).parse()
}

function problem(text: string): ParseResult {
  return { ok: false, problem: text }
}

/** The forks of one `{a,b}` that is being read: jumps to its end are filled in when the end is known. */
interface OpenBraces {
  readonly opened: number
  readonly ends: number[]
  alternative: number
}

class Parser {
  readonly #text: string
  readonly #fold: boolean
  readonly #steps: Step[] = []
  readonly #braces: OpenBraces[] = []
  #at = 0
  #problem: string | undefined

  constructor(text: string, fold: boolean) {
    this.#text = text
    this.#fold = fold
  }

  parse(): ParseResult {
    while (this.#at < this.#text.length && this.#problem === undefined) this.#readOne()
    const open = this.#braces.at(-1)
    if (this.#problem === undefined && open !== undefined)
      this.#problem = `"{" at position ${open.opened + 1} is not closed`
    if (this.#problem !== undefined) return problem(this.#problem)
    const prefix = /^[^*?[\]{}\\]*/.exec(this.#text)?.[0] ?? ''
    const rest = /[^*?[\]{}\\]*$/.exec(this.#text)?.[0] ?? ''
    // "**/" may stand for no segment at all, and then its slash is not there.
    const suffix = this.#text.endsWith(`**${rest}`) && rest.startsWith('/') ? rest.slice(1) : rest
    return { ok: true, parsed: { kind: 'steps', prefix, suffix, steps: this.#steps } }
  }

  #readOne(): void {
    switch (this.#text[this.#at]) {
      case '*':
        return this.#readStars()
      case '?':
        this.#at += 1
        return this.#take((code) => code !== SLASH)
      case '[':
        return this.#readClass()
      case '{':
        return this.#openBraces()
      case ',':
        return this.#braces.length > 0 ? this.#nextAlternative() : this.#readLiteral()
      case '}':
        return this.#closeBraces()
      case ']':
        this.#problem = `"]" at position ${this.#at + 1} closes nothing; write "\\]" for the character itself`
        return
      case '\\':
        return this.#readEscaped()
      default:
        return this.#readLiteral()
    }
  }

  /** `*` stays within a segment. `**` crosses segments, and as a whole segment ("a/**" + "/b") may stand for none at all. */
  #readStars(): void {
    const start = this.#at
    while (this.#text[this.#at] === '*') this.#at += 1
    const crosses = this.#at - start > 1
    const wholeSegment = crosses && (start === 0 || this.#text[start - 1] === '/') && this.#text[this.#at] === '/'
    if (!wholeSegment) return this.#repeat(crosses ? () => true : (code) => code !== SLASH)

    // (anything "/")?  so that "a/**/b" is also "a/b".
    this.#at += 1
    const skip = this.#steps.length
    this.#steps.push({ op: 'fork', also: 0 })
    this.#repeat(() => true)
    this.#take((code) => code === SLASH)
    this.#steps[skip] = { op: 'fork', also: this.#steps.length }
  }

  #repeat(fits: (code: number) => boolean): void {
    const start = this.#steps.length
    this.#steps.push({ op: 'fork', also: start + 3 })
    this.#steps.push({ op: 'take', fits })
    this.#steps.push({ op: 'jump', to: start })
  }

  #readLiteral(): void {
    const code = this.#text.codePointAt(this.#at) ?? 0
    this.#at += code > 0xffff ? 2 : 1
    const wanted = this.#fold ? foldCase(code) : code
    this.#take((given) => given === wanted)
  }

  #readEscaped(): void {
    this.#at += 1
    if (this.#at === this.#text.length) this.#problem = 'a backslash at the end escapes nothing'
    else this.#readLiteral()
  }

  /** `[abc]`, `[a-z]`, `[!abc]`: one character, never a slash. */
  #readClass(): void {
    const end = this.#text.indexOf(']', this.#at + 2)
    if (end === -1) {
      this.#problem = `"[" at position ${this.#at + 1} is not closed`
      return
    }
    const negated = this.#text[this.#at + 1] === '!'
    const inside = this.#text.slice(this.#at + (negated ? 2 : 1), end)
    const members = Array.from(inside, (member) => member.codePointAt(0) ?? 0)
    this.#at = end + 1
    const ranges: [number, number][] = []
    for (let index = 0; index < members.length; index += 1) {
      const from = members[index] ?? 0
      const isRange = members[index + 1] === 45 && index + 2 < members.length
      const to = isRange ? (members[index + 2] ?? 0) : from
      if (to < from) this.#problem = 'a range in "[...]" runs backwards'
      if (isRange) index += 2
      ranges.push([from, to])
    }
    if (ranges.length === 0) this.#problem = 'a "[...]" is empty'
    const holds = (code: number) => ranges.some(([from, to]) => code >= from && code <= to)
    const anyCase = this.#fold ? (code: number) => holds(code) || holds(upperCase(code)) : holds
    this.#take((code) => code !== SLASH && anyCase(code) !== negated)
  }

  #openBraces(): void {
    this.#braces.push({ opened: this.#at, ends: [], alternative: this.#steps.length })
    this.#steps.push({ op: 'fork', also: 0 })
    this.#at += 1
  }

  #nextAlternative(): void {
    const open = this.#braces.at(-1)
    if (open === undefined) return
    open.ends.push(this.#steps.length)
    this.#steps.push({ op: 'jump', to: 0 })
    this.#steps[open.alternative] = { op: 'fork', also: this.#steps.length }
    open.alternative = this.#steps.length
    this.#steps.push({ op: 'fork', also: 0 })
    this.#at += 1
  }

  #closeBraces(): void {
    const open = this.#braces.pop()
    if (open === undefined) {
      this.#problem = `"}" at position ${this.#at + 1} closes nothing; write "\\}" for the character itself`
      return
    }
    // The last alternative has no further one to fork to: going on is all there is.
    this.#steps[open.alternative] = { op: 'jump', to: open.alternative + 1 }
    for (const end of open.ends) this.#steps[end] = { op: 'jump', to: this.#steps.length }
    this.#at += 1
  }

  #take(fits: (code: number) => boolean): void {
    this.#steps.push({ op: 'take', fits })
  }
}

/** ASCII only: the names compared are ASCII, and Unicode folding would make look-alikes (the Kelvin sign) equal to letters. */
export function foldCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

function upperCase(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code
}

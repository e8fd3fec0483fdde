import { Buffer } from 'node:buffer'
import { Finder, Patterns, Stretches } from '@signalbox/pipeline/masking'

// Shared by all attempts without secrets.
const NOTHING = new Patterns([])
const NOTHING_YET = Buffer.alloc(0)
const STARS = Buffer.from('***')

/** The values of one attempt that must never leave the runner; grows when a sensitive output appears. */
export class MaskedValues {
  readonly #values = new Set<string>()
  #patterns = NOTHING
  #stale = false

  constructor(values: Iterable<string>) {
    this.add(values)
  }

  /** Takes further values; texts not yet released are masked for them too. */
  add(values: Iterable<string>): void {
    for (const value of values) {
      if (this.#values.has(value)) continue
      this.#values.add(value)
      this.#stale = true
    }
  }

  get patterns(): Patterns {
    if (this.#stale) {
      this.#patterns = new Patterns(this.#values)
      this.#stale = false
    }
    return this.#patterns
  }

  /** `text` with every occurrence masked. */
  mask(text: string): string {
    if (this.patterns.isEmpty) return text
    return this.maskBytes(Buffer.from(text)).toString()
  }

  /** Like `mask`, for bytes that are whole by themselves. */
  maskBytes(bytes: Buffer): Buffer {
    if (this.patterns.isEmpty) return bytes
    const masker = new Masker(this)
    return Buffer.concat([masker.push(bytes), masker.end()])
  }

  /** Whether `text` holds a masked value in any form. */
  occursIn(text: string): boolean {
    const stretches = new Stretches()
    const finder = new Finder(this.patterns)
    const bytes = Buffer.from(text)
    finder.scan(bytes, 0, (start, end) => stretches.add(start, end))
    finder.end(bytes, (start, end) => stretches.add(start, end))
    return stretches.list.length > 0
  }
}

/**
 * Masks one stream of bytes. The masker keeps back exactly the bytes that may begin a value, so that it finds a value
 * wherever the process' writes cut it.
 */
export class Masker {
  readonly #values: MaskedValues
  readonly #hidden = new Stretches()
  #patterns: Patterns
  #finder: Finder
  #pending: Buffer = NOTHING_YET
  // The stars for what goes on in the pending bytes were written already.
  #isShown = false

  constructor(values: MaskedValues) {
    this.#values = values
    this.#patterns = values.patterns
    this.#finder = new Finder(this.#patterns)
  }

  /** Takes `bytes` and returns what may be shown by now. */
  push(bytes: Buffer): Buffer {
    this.#adoptNewValues()
    if (this.#patterns.isEmpty && this.#pending.length === 0) return bytes
    const from = this.#pending.length
    const buffer = from === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    const kept = this.#finder.scan(buffer, from, this.#hide)
    return this.#release(buffer, buffer.length - kept)
  }

  /** Returns the rest: nothing more will come. */
  end(): Buffer {
    this.#adoptNewValues()
    this.#finder.end(this.#pending, this.#hide)
    const rest = this.#release(this.#pending, this.#pending.length)
    this.#finder = new Finder(this.#patterns)
    this.#isShown = false
    return rest
  }

  readonly #hide = (start: number, end: number): void => this.#hidden.add(Math.max(start, 0), end)

  #adoptNewValues(): void {
    const { patterns } = this.#values
    if (patterns === this.#patterns) return
    this.#patterns = patterns
    this.#finder = new Finder(patterns)
    this.#finder.scan(this.#pending, 0, this.#hide)
  }

  #release(buffer: Buffer, safe: number): Buffer {
    this.#pending = buffer.subarray(safe)
    if (safe === 0) return NOTHING_YET
    const parts: Buffer[] = []
    let at = 0
    let isShown = this.#isShown
    this.#isShown = false
    for (const { start, end } of this.#hidden.list) {
      if (start >= safe) break
      if (start > at) parts.push(buffer.subarray(at, start))
      // A stretch at the very beginning may be the rest of one whose stars were written before.
      if (start > 0 || !isShown) parts.push(STARS)
      isShown = false
      at = Math.min(end, safe)
      this.#isShown = end > safe
    }
    if (at < safe) parts.push(buffer.subarray(at, safe))
    this.#hidden.forgetBefore(safe)
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
  }
}

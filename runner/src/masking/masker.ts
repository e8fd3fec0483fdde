import { Buffer } from 'node:buffer'
import { type Automaton, buildAutomaton, derivedForms } from '@signalbox/pipeline/masking'

// Shared: its tables of 64 KiB for each attempt would keep the garbage collector busier than anything else.
const noPatterns = buildAutomaton([])
const stars = Buffer.from('***')

/** The values of one attempt that must never leave the runner; grows when a sensitive output appears. */
export class MaskedValues {
  readonly #patterns = new Set<string>()
  #automaton: Automaton = noPatterns
  #stale = false

  constructor(values: Iterable<string>) {
    this.add(values)
  }

  /** Takes further values; texts not yet released are masked for them too. */
  add(values: Iterable<string>): void {
    for (const value of values) {
      for (const form of derivedForms(value)) {
        if (this.#patterns.has(form)) continue
        this.#patterns.add(form)
        this.#stale = true
      }
    }
  }

  get automaton(): Automaton {
    if (this.#stale) {
      this.#automaton = buildAutomaton([...this.#patterns].map((pattern) => Buffer.from(pattern)))
      this.#stale = false
    }
    return this.#automaton
  }

  /** `text` with every occurrence masked. */
  mask(text: string): string {
    if (this.automaton.patternCount === 0) return text
    return this.maskBytes(Buffer.from(text)).toString()
  }

  /** As `mask`, for bytes that are whole by themselves. */
  maskBytes(bytes: Buffer): Buffer {
    if (this.automaton.patternCount === 0) return bytes
    const masker = new Masker(this)
    return Buffer.concat([masker.push(bytes), masker.end()])
  }

  /** Whether `text` holds a masked value in any form. */
  occursIn(text: string): boolean {
    let occurs = false
    this.automaton.scan(Buffer.from(text), 0, 0, () => {
      occurs = true
    })
    return occurs
  }
}

/** A stretch of pending bytes to hide; `shown`: its stars have been written already. */
type Hidden = { start: number; end: number; shown: boolean }

/**
 * Masks one stream of bytes. It keeps back exactly the bytes that may turn out to begin a value, so that a value is
 * found wherever the process' writes happen to cut it.
 */
export class Masker {
  readonly #values: MaskedValues
  #automaton: Automaton
  #state = 0
  #pending: Buffer = Buffer.alloc(0)
  #hidden: Hidden[] = []

  constructor(values: MaskedValues) {
    this.#values = values
    this.#automaton = values.automaton
  }

  /** Takes `bytes` and returns what may be shown by now. */
  push(bytes: Buffer): Buffer {
    this.#adoptNewValues()
    if (this.#automaton.patternCount === 0 && this.#pending.length === 0) return bytes
    const from = this.#pending.length
    const buffer = from === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    this.#state = this.#automaton.scan(buffer, from, this.#state, (start, end) => this.#hide(start, end))
    return this.#release(buffer, buffer.length - this.#automaton.depth(this.#state))
  }

  /** Returns the rest: nothing more will come. */
  end(): Buffer {
    this.#adoptNewValues()
    const rest = this.#release(this.#pending, this.#pending.length)
    this.#state = 0
    return rest
  }

  #adoptNewValues(): void {
    const automaton = this.#values.automaton
    if (automaton === this.#automaton) return
    this.#automaton = automaton
    this.#state = automaton.scan(this.#pending, 0, 0, (start, end) => this.#hide(start, end))
  }

  // Overlapping stretches become one, whichever value each of them belongs to.
  #hide(start: number, end: number): void {
    let merged: Hidden = { start, end, shown: false }
    for (let last = this.#hidden.at(-1); last !== undefined && last.end > merged.start; last = this.#hidden.at(-1)) {
      this.#hidden.pop()
      merged = {
        start: Math.min(last.start, merged.start),
        end: Math.max(last.end, merged.end),
        shown: last.shown || merged.shown,
      }
    }
    this.#hidden.push(merged)
  }

  #release(buffer: Buffer, safe: number): Buffer {
    const kept: Hidden[] = []
    const parts: Buffer[] = []
    let at = 0
    for (const hidden of this.#hidden) {
      if (hidden.start >= safe && !hidden.shown) {
        kept.push({ start: hidden.start - safe, end: hidden.end - safe, shown: false })
        continue
      }
      if (hidden.start > at) parts.push(buffer.subarray(at, hidden.start))
      if (!hidden.shown) parts.push(stars)
      at = Math.min(hidden.end, safe)
      if (hidden.end > safe) kept.push({ start: 0, end: hidden.end - safe, shown: true })
    }
    if (at < safe) parts.push(buffer.subarray(at, safe))
    this.#hidden = kept
    this.#pending = buffer.subarray(safe)
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
  }
}

import type { Buffer } from 'node:buffer'
import type { LogStream } from './encode-lines.ts'

export interface KeptLine {
  stream: LogStream
  atMs: number
  bytes: Buffer
  goesOn: boolean
}

/** The last of many lines, within a number and a size; older ones are dropped and counted. */
export class LastLines {
  readonly #limit: { readonly lines: number; readonly bytes: number }
  // A ring: a flood pushes a million lines through it.
  readonly #lines: (KeptLine | undefined)[]
  #first = 0
  #count = 0
  #bytes = 0
  #dropped = { lines: 0, bytes: 0 }

  constructor(limit: { readonly lines: number; readonly bytes: number }) {
    this.#limit = limit
    this.#lines = Array.from({ length: limit.lines })
  }

  /** The lines that were dropped; bytes without line ends. */
  get dropped(): { readonly lines: number; readonly bytes: number } {
    return this.#dropped
  }

  push(line: KeptLine): void {
    const { lines, bytes } = this.#limit
    while (this.#count === lines || (this.#count > 0 && this.#bytes + line.bytes.length > bytes)) this.#drop()
    this.#lines[(this.#first + this.#count) % lines] = line
    this.#count += 1
    this.#bytes += line.bytes.length
  }

  /** The lines in their order; none are left. */
  *take(): Generator<KeptLine> {
    for (; this.#count > 0; this.#count -= 1) {
      const line = this.#shift()
      if (line) yield line
    }
    this.#bytes = 0
  }

  #drop(): void {
    const line = this.#shift()
    this.#count -= 1
    this.#bytes -= line?.bytes.length ?? 0
    this.#dropped.lines += 1
    this.#dropped.bytes += line?.bytes.length ?? 0
  }

  #shift(): KeptLine | undefined {
    const line = this.#lines[this.#first]
    this.#lines[this.#first] = undefined
    this.#first = (this.#first + 1) % this.#limit.lines
    return line
  }
}

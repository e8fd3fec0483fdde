import { Buffer } from 'node:buffer'
import type { MaskedValues } from '../masking/masker.ts'
import { Masker } from '../masking/masker.ts'
import type { Time, Timer } from '../time/index.ts'
import { ChunkCompressor } from './compress-lines.ts'
import type { LogStream } from './encode-lines.ts'
import { LineEncoder } from './encode-lines.ts'
import { LastLines } from './last-lines.ts'
import { LineSplitter, type TakeLine } from './line-splitter.ts'
import type { LogBuffer } from './log-buffer.ts'

// A reader sees a line after at most this long; the first line of an attempt at once.
const FLUSH_MS = 75
// In a flood chunks are so large: each costs a compressor, a message and a row, however much is in it.
const CHUNK_BYTES = 512 * 1024
const CHUNK_LINES = 16_384
// So much waiting output is not left for the timer.
const PROMPT_BYTES = 64 * 1024
// One turn of the event loop masks at most this much of one attempt (some 1 ms), so that heartbeats stay on time.
const SLICE_BYTES = 64 * 1024
// Output that waits for its slice; beyond it the process' pipe is no longer read. Each time costs a message to the process
// that reads the pipe, and a turn of it: far apart from each other they are seldom.
const QUEUE_LIMIT = 1024 * 1024
const QUEUE_LOW = QUEUE_LIMIT / 4
// Chunks that another thread compresses; beyond them no further output is taken.
const COMPRESSING = 3

// Beyond the limit: what matters most of a long log is its end.
const LAST_LINES = { lines: 1000, bytes: 1024 * 1024 }

/** How much of one attempt's log is sent as it is written; of what follows the last lines are kept. */
export interface LogLimits {
  bytes: number
  lines: number
}

export interface AttemptLogOptions {
  time: Time
  values: MaskedValues
  buffer: LogBuffer
  limits: LogLimits
  /** Called before each batch is masked: the place to learn values of sensitive outputs. */
  beforeBatch: () => void
  /** New chunks are in the buffer. */
  appended: () => void
  /** The process' output is to be left unread (true) or read again (false). */
  congested: (congested: boolean) => void
}

interface Piece {
  stream: LogStream
  atMs: number
  bytes: Buffer
}
interface Channel {
  masker: Masker
  splitter: LineSplitter
}

/** Turns what a process writes into masked, numbered, compressed lines. */
export class AttemptLog {
  readonly #options: AttemptLogOptions
  readonly #encoder = new LineEncoder()
  readonly #compressor: ChunkCompressor
  readonly #channels: Record<LogStream, Channel>
  #queue: Piece[] = []
  #queued = 0
  #nextLine = 0
  #keptBytes = 0
  #last: LastLines | undefined
  #congested = false
  #first = true
  #timer: Timer | undefined
  #flushTimer: Timer | undefined
  #immediate: NodeJS.Immediate | undefined
  #ended: (() => void) | undefined
  // Called when the last chunk is in the buffer.
  #complete: (() => void) | undefined
  #closed = false

  constructor(options: AttemptLogOptions) {
    this.#options = options
    this.#compressor = new ChunkCompressor({
      chunk: (chunk) => {
        options.buffer.append(chunk)
        options.appended()
      },
      progressed: () => {
        this.#tellComplete()
        this.resume()
      },
    })
    const channel = (): Channel => ({ masker: new Masker(options.values), splitter: new LineSplitter() })
    this.#channels = { stdout: channel(), stderr: channel(), system: channel() }
  }

  /** Number of lines made so far. */
  get lineCount(): number {
    return this.#nextLine + this.#encoder.count
  }

  write(stream: LogStream, bytes: Buffer): void {
    if (this.#closed || bytes.length === 0) return
    this.#queue.push({ stream, atMs: this.#options.time.now(), bytes })
    this.#queued += bytes.length
    if (this.#queued > QUEUE_LIMIT) this.#setCongested(true)
    this.#schedule()
  }

  /** A sentence of the runner itself. */
  system(sentence: string): void {
    this.write('system', Buffer.from(`${sentence}\n`))
  }

  /** Calls `done` once everything written is in the buffer, last lines without an end included. */
  end(done: () => void): void {
    this.#ended = done
    if (this.#queue.length === 0) this.#finish()
    else this.#schedule()
  }

  /** Goes on after the buffer was full. */
  resume(): void {
    if (this.#queue.length > 0 || this.#ended !== undefined) this.#schedule()
  }

  /** Drops everything not yet processed. */
  close(): void {
    this.#closed = true
    this.#queue = []
    this.#compressor.close()
    this.#timer?.stop()
    this.#flushTimer?.stop()
    if (this.#immediate !== undefined) clearImmediate(this.#immediate)
  }

  #schedule(): void {
    if (this.#immediate !== undefined || this.#closed) return
    if (this.#first || this.#queued >= PROMPT_BYTES || this.#ended !== undefined) {
      this.#timer?.stop()
      this.#timer = undefined
      this.#immediate = setImmediate(() => this.#slice())
    } else {
      this.#timer ??= this.#options.time.after(FLUSH_MS, () => this.#slice())
    }
  }

  #slice(): void {
    this.#immediate = undefined
    this.#timer?.stop()
    this.#timer = undefined
    if (this.#closed || this.#options.buffer.full || this.#compressor.waiting >= COMPRESSING) return
    const isFirst = this.#first
    this.#first = false
    this.#options.beforeBatch()
    let budget = SLICE_BYTES
    while (budget > 0) {
      const piece = this.#queue[0]
      if (piece === undefined) break
      const bytes = piece.bytes.subarray(0, budget)
      if (bytes.length === piece.bytes.length) this.#queue.shift()
      else piece.bytes = piece.bytes.subarray(bytes.length)
      budget -= bytes.length
      this.#queued -= bytes.length
      const { masker, splitter } = this.#channels[piece.stream]
      splitter.push(masker.push(bytes), this.#taker(piece.stream, piece.atMs))
    }
    // Little by little it goes at once; of a flood a chunk is made full first, but for no longer than a reader waits.
    if (isFirst || budget > 0) this.#flush()
    else this.#flushTimer ??= this.#options.time.after(FLUSH_MS, () => this.#flush())
    if (this.#queued <= QUEUE_LOW) this.#setCongested(false)
    if (this.#queue.length > 0) this.#schedule()
    else if (this.#ended !== undefined) this.#finish()
  }

  #finish(): void {
    if (this.#options.buffer.full || this.#closed) return
    this.#complete = this.#ended
    this.#ended = undefined
    this.#options.beforeBatch()
    const atMs = this.#options.time.now()
    for (const stream of ['stdout', 'stderr', 'system'] as const) {
      const { masker, splitter } = this.#channels[stream]
      const take = this.#taker(stream, atMs)
      splitter.push(masker.end(), take)
      splitter.end(take)
    }
    this.#addLast()
    this.#flush()
    this.#tellComplete()
  }

  #tellComplete(): void {
    if (this.#compressor.waiting > 0) return
    const complete = this.#complete
    this.#complete = undefined
    complete?.()
  }

  #taker(stream: LogStream, atMs: number): TakeLine {
    return (bytes, start, end, goesOn) => {
      const last = stream === 'system' ? undefined : this.#beyondLimit(end - start)
      if (last) last.push({ stream, atMs, bytes: Buffer.from(bytes.subarray(start, end)), goesOn })
      else this.#add(stream, atMs, bytes, start, end, goesOn)
    }
  }

  // oxlint-disable-next-line max-params -- called for each line, where an object would cost more than it explains
  #add(stream: LogStream, atMs: number, bytes: Buffer, start: number, end: number, goesOn: boolean): void {
    this.#encoder.add(stream, atMs, bytes, start, end, goesOn)
    if (this.#encoder.count >= CHUNK_LINES || this.#encoder.size >= CHUNK_BYTES) this.#flush()
  }

  /** Where the line goes that comes when the limit is reached; undefined before. */
  #beyondLimit(length: number): LastLines | undefined {
    const { bytes, lines } = this.#options.limits
    if (!this.#last && (this.#keptBytes + length > bytes || this.lineCount >= lines)) {
      this.#last = new LastLines(LAST_LINES)
      this.#line(
        `The log limit of this task (${bytes} bytes, ${lines} lines) is reached: of what follows the last ${LAST_LINES.lines} lines are shown when it ends.`,
      )
    }
    this.#keptBytes += length
    return this.#last
  }

  /** The end of a log beyond the limit, after a note about the omitted part. */
  #addLast(): void {
    const last = this.#last
    if (!last) return
    const { lines, bytes } = last.dropped
    if (lines > 0)
      this.#line(`${lines} lines (${bytes} bytes) of output were left out here: they were beyond the limit.`)
    for (const { stream, atMs, bytes: text, goesOn } of last.take()) {
      // Values that were learned since it was written.
      const masked = this.#options.values.maskBytes(text)
      this.#add(stream, atMs, masked, 0, masked.length, goesOn)
    }
  }

  #line(sentence: string): void {
    const bytes = Buffer.from(sentence)
    this.#encoder.add('system', this.#options.time.now(), bytes, 0, bytes.length)
  }

  #flush(): void {
    this.#flushTimer?.stop()
    this.#flushTimer = undefined
    const lineCount = this.#encoder.count
    if (lineCount === 0) return
    const firstLine = this.#nextLine
    this.#nextLine += lineCount
    this.#compressor.add(firstLine, lineCount, this.#encoder.take())
  }

  #setCongested(congested: boolean): void {
    if (congested === this.#congested) return
    this.#congested = congested
    this.#options.congested(congested)
  }
}

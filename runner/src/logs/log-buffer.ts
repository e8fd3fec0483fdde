import { Buffer } from 'node:buffer'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import { type Chunk, compressLines } from './compress-lines.ts'

interface Stored {
  firstLine: number
  lineCount: number
  size: number
  bytes: Buffer | undefined
  fileOffset: number
}

/**
 * The chunks of one attempt that the control plane has not yet acknowledged. Beyond `memoryLimit` bytes they go to
 * the file `spillPath`, so that a task may go on while the control plane is away.
 */
export class LogBuffer implements Disposable {
  readonly #spillPath: string
  readonly #memoryLimit: number
  #chunks: Stored[] = []
  // Index in #chunks of the next chunk to send.
  #cursor = 0
  #inMemory = 0
  #file: number | undefined
  #fileLength = 0
  #spillFailed = false

  constructor(spillPath: string, memoryLimit: number) {
    this.#spillPath = spillPath
    this.#memoryLimit = memoryLimit
  }

  /** The spill file cannot be written and memory is used up: the task has to wait for acknowledgements. */
  get full(): boolean {
    return this.#spillFailed && this.#inMemory >= this.#memoryLimit
  }

  get unacknowledged(): number {
    return this.#chunks.length
  }

  append(chunk: Chunk): void {
    const { firstLine, lineCount, linesZstd } = chunk
    const stored: Stored = { firstLine, lineCount, size: linesZstd.length, bytes: linesZstd, fileOffset: 0 }
    if (this.#inMemory + linesZstd.length > this.#memoryLimit) this.#spill(stored, linesZstd)
    if (stored.bytes !== undefined) this.#inMemory += stored.size
    this.#chunks.push(stored)
  }

  /** The next chunk to send, or undefined; it stays here until it is acknowledged. */
  next(): Chunk | undefined {
    const stored = this.#chunks[this.#cursor]
    if (stored === undefined) return undefined
    this.#cursor++
    return { firstLine: stored.firstLine, lineCount: stored.lineCount, linesZstd: this.#load(stored) }
  }

  /** Forgets every line below `nextLine`. */
  acknowledge(nextLine: number): void {
    let done = 0
    for (const stored of this.#chunks) {
      if (stored.firstLine + stored.lineCount > nextLine) break
      if (stored.bytes !== undefined) this.#inMemory -= stored.size
      done++
    }
    if (done === 0) return
    this.#chunks.splice(0, done)
    this.#cursor = Math.max(0, this.#cursor - done)
    if (this.#chunks.every((stored) => stored.bytes !== undefined)) this.#closeSpill()
  }

  /** Prepares sending again from line `nextLine`, on a new stream. */
  rewind(nextLine: number): void {
    this.acknowledge(nextLine)
    this.#cursor = 0
    const first = this.#chunks[0]
    if (first === undefined || first.firstLine >= nextLine) return
    const message = fromBinary(LogLinesSchema, zstdDecompressSync(this.#load(first)))
    const lines = message.lines.slice(nextLine - first.firstLine)
    const bytes = compressLines(Buffer.from(toBinary(LogLinesSchema, create(LogLinesSchema, { lines }))))
    if (first.bytes !== undefined) this.#inMemory -= first.size
    this.#inMemory += bytes.length
    this.#chunks[0] = { firstLine: nextLine, lineCount: lines.length, size: bytes.length, bytes, fileOffset: 0 }
  }

  [Symbol.dispose](): void {
    this.#chunks = []
    this.#cursor = 0
    this.#inMemory = 0
    this.#closeSpill()
  }

  #spill(stored: Stored, bytes: Buffer): void {
    try {
      this.#file ??= openSync(this.#spillPath, 'w+', 0o600)
      let written = 0
      while (written < bytes.length) {
        written += writeSync(this.#file, bytes, written, bytes.length - written, this.#fileLength + written)
      }
      stored.fileOffset = this.#fileLength
      stored.bytes = undefined
      this.#fileLength += bytes.length
      this.#spillFailed = false
    } catch {
      // A full disk: the chunk stays in memory, and `full` makes the task wait.
      this.#spillFailed = true
    }
  }

  #load(stored: Stored): Buffer {
    if (stored.bytes !== undefined || this.#file === undefined) return stored.bytes ?? Buffer.alloc(0)
    const bytes = Buffer.allocUnsafe(stored.size)
    let read = 0
    while (read < bytes.length) {
      const count = readSync(this.#file, bytes, read, bytes.length - read, stored.fileOffset + read)
      if (count === 0) throw new Error(`The log buffer ${this.#spillPath} was truncated by somebody else.`)
      read += count
    }
    return bytes
  }

  #closeSpill(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    rmSync(this.#spillPath, { force: true })
    this.#file = undefined
    this.#fileLength = 0
  }
}

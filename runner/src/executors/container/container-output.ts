import type { Duplex } from 'node:stream'
import type { Time } from '../../time/index.ts'
import { pause } from '../../time/index.ts'
import type { ExecutionListener } from '../executor.ts'
import { addFirstWords } from './describe-end.ts'
import type { Engine } from './engine/engine.ts'

// The last output is still on its way when a container has ended; nobody else can write there any more.
const LAST_OUTPUT_MS = 10_000

/** The output of a task's container, on its way from the engine to the log. */
export class ContainerOutput {
  readonly #time: Time
  readonly #listener: ExecutionListener
  #socket: Duplex | undefined
  #end: Promise<void> = Promise.resolve()
  #received = 0
  #firstWords = ''
  #paused = false

  constructor(time: Time, listener: ExecutionListener) {
    this.#time = time
    this.#listener = listener
  }

  get firstWords(): string {
    return this.#firstWords
  }

  /** Hands on what the container writes. How it ended is told by the engine, when it is asked for that. */
  async listen(engine: Engine, id: string, signal: AbortSignal): Promise<void> {
    const take = (channel: 'stdout' | 'stderr', bytes: Buffer) => {
      this.#firstWords = addFirstWords(this.#firstWords, bytes)
      this.#received += bytes.length
      this.#listener.output(channel, bytes)
    }
    const socket = await engine.attach(id, take, signal)
    this.#socket = socket
    if (this.#paused) socket.pause()
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.on('error', () => resolve()).on('close', () => resolve())
    socket.on('end', () => {
      socket.end()
      resolve()
    })
    this.#end = promise
  }

  pause(paused: boolean): void {
    this.#paused = paused
    if (paused) this.#socket?.pause()
    else this.#socket?.resume()
  }

  /** Waits for the end of the output, unless it is silent for long although it is read. */
  async last(): Promise<void> {
    for (let before = -1; this.#paused || before !== this.#received; ) {
      before = this.#received
      const stop = new AbortController()
      const silence = pause(this.#time, LAST_OUTPUT_MS, stop.signal).then(() => false)
      const ended = await Promise.race([this.#end.then(() => true), silence])
      stop.abort()
      if (ended) return
    }
  }

  close(): void {
    this.#socket?.destroy()
  }
}

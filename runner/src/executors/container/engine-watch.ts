import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Time, Timer } from '../../time/index.ts'
import type { EngineAddress } from './engine/address.ts'
import { Engine } from './engine/engine.ts'

export type EngineWatchOptions = {
  /** Where to look, in this order. */
  addresses: readonly EngineAddress[]
  /** The operator named the address: that nobody answers there is worth a warning. */
  named: boolean
  time: Time
  log: Log
  /** Silence of an engine that ends what is in its hands. */
  patienceMs: number
  /** There is an engine now, or there is none any more. */
  changed: () => void
}

/** An engine that answers, and the signal that it does not any more. */
export type Reached = { readonly engine: Engine; readonly lost: AbortSignal }

const lookMs = 10_000
const answerMs = 5000

/** Finds the container engine of this machine, and looks again and again whether it is still there. */
export class EngineWatch implements Disposable {
  readonly #options: EngineWatchOptions
  #reached: { engine: Engine; lost: AbortController; heardAt: number } | undefined
  #timer: Timer | undefined
  #closed = false

  constructor(options: EngineWatchOptions) {
    this.#options = options
  }

  /** The engine, as long as it answers. */
  get reached(): Reached | undefined {
    const reached = this.#reached
    return reached === undefined ? undefined : { engine: reached.engine, lost: reached.lost.signal }
  }

  /** Looks for an engine; afterwards again by itself. */
  async start(): Promise<void> {
    const reasons = await this.#look()
    if (this.#reached === undefined && this.#options.named) {
      this.#options.log.warn('no container engine answers: tasks with an image cannot run here yet', {
        reasons: reasons.join('; '),
      })
    }
    this.#plan()
  }

  [Symbol.dispose](): void {
    this.#closed = true
    this.#timer?.stop()
  }

  #plan(): void {
    if (this.#closed) return
    const { time, patienceMs } = this.#options
    this.#timer = time.after(Math.min(lookMs, patienceMs / 2), () => void this.#lookAgain())
  }

  async #lookAgain(): Promise<void> {
    if (this.#reached === undefined) await this.#look()
    else await this.#ask(this.#reached)
    this.#plan()
  }

  /** Returns why nobody was found, by address. */
  async #look(): Promise<readonly string[]> {
    const { addresses, time, log, changed } = this.#options
    const reasons: string[] = []
    for (const address of addresses) {
      try {
        const engine = await Engine.reach(address, time, answerMs)
        this.#reached = { engine, lost: new AbortController(), heardAt: time.monotonic() }
        const { name, version } = engine.facts
        log.info('a container engine answers', { engine: name, version, address: address.text })
        changed()
        return []
      } catch (error) {
        reasons.push(describeError(error))
      }
    }
    return reasons
  }

  async #ask(reached: { engine: Engine; lost: AbortController; heardAt: number }): Promise<void> {
    const { time, log, patienceMs, changed } = this.#options
    try {
      await reached.engine.ping(Math.min(answerMs, patienceMs))
      reached.heardAt = time.monotonic()
    } catch (error) {
      if (time.monotonic() - reached.heardAt < patienceMs) return
      const reason = `${describeError(error)}.`
      log.warn('the container engine does not answer any more; what it runs is given up', { reason })
      this.#reached = undefined
      reached.lost.abort(reason)
      changed()
    }
  }
}

import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Time, Timer } from '../../time/index.ts'
import { pause } from '../../time/index.ts'
import type { EngineAddress } from './engine/address.ts'
import { Engine } from './engine/engine.ts'

export interface EngineWatchOptions {
  /** Where to look, in this order. */
  addresses: readonly EngineAddress[]
  /** The operator named the address, so that silence there is worth a warning. */
  named: boolean
  time: Time
  log: Log
  /** Silence of an engine that ends what is in its hands. */
  patienceMs: number
  /** There is an engine now, or there is none any more. */
  changed: () => void
}

/** An engine that answers, and the signal that it does not any more. */
export interface Reached {
  readonly engine: Engine
  readonly lost: AbortSignal
}

interface Heard {
  readonly engine: Engine
  readonly lost: AbortController
  heardAt: number
  silent: boolean
}

const LOOK_MS = 10_000
/** An engine that is away is looked for more often: it may only have been restarted, and tasks wait for it. */
const AWAY_MS = 500
/** An answer this old is an answer of now. */
const FRESH_MS = 1000
const ANSWER_MS = 5000
/** Podman starts a dozen programs to tell its facts, which took over 5 s on a busy machine of two cores. */
const FACTS_MS = 30_000

/** Finds the container engine of this machine, and looks again and again whether it is still there. */
export class EngineWatch implements Disposable {
  readonly #options: EngineWatchOptions
  #reached: Heard | undefined
  /** The question under way, which everybody waits for. */
  #asking: Promise<void> | undefined
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

  /** Whether it answered when it was last asked. */
  get answers(): boolean {
    return this.#reached?.silent === false
  }

  /** Somebody found it silent: it is asked at once. */
  suspect(): void {
    if (this.#reached !== undefined) void this.#ask(this.#reached)
  }

  /**
   * The engine once it answers; undefined where it does not for as long as it is waited for, or where `signal` says stop.
   * `waiting` is called when it does not answer at once.
   */
  async untilAnswers(signal: AbortSignal, waiting: () => void): Promise<Reached | undefined> {
    const { time, patienceMs } = this.#options
    const began = time.monotonic()
    for (let told = false; !signal.aborted; told = true) {
      const reached = this.#reached
      if (reached !== undefined && time.monotonic() - reached.heardAt > FRESH_MS) await this.#ask(reached)
      if (this.answers) return this.reached
      if (time.monotonic() - began > patienceMs) return undefined
      if (!told) waiting()
      await pause(time, AWAY_MS, signal)
    }
    return undefined
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
    this.#timer?.stop()
    if (this.#closed) return
    const { time, patienceMs } = this.#options
    const usual = Math.min(LOOK_MS, patienceMs / 2)
    const wait = this.#reached?.silent === true ? Math.min(AWAY_MS, usual) : usual
    this.#timer = time.after(wait, () => void this.#lookAgain())
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
        const engine = await Engine.reach(address, time, { pingMs: ANSWER_MS, factsMs: FACTS_MS })
        this.#reached = { engine, lost: new AbortController(), heardAt: time.monotonic(), silent: false }
        const { name, version, unlimited } = engine.facts
        log.info('a container engine answers', { engine: name, version, address: address.text })
        if (unlimited.length > 0) {
          log.warn('the container engine cannot limit containers on this machine', { settings: unlimited.join(', ') })
        }
        changed()
        return []
      } catch (error) {
        reasons.push(describeError(error))
      }
    }
    return reasons
  }

  #ask(reached: Heard): Promise<void> {
    this.#asking ??= this.#askOnce(reached).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #askOnce(reached: Heard): Promise<void> {
    const { time, log, patienceMs, changed } = this.#options
    try {
      await reached.engine.ping(Math.min(ANSWER_MS, patienceMs))
      reached.heardAt = time.monotonic()
      if (!reached.silent) return
      reached.silent = false
      log.info('the container engine answers again', { address: reached.engine.address.text })
      changed()
    } catch (error) {
      const announced = !reached.silent
      reached.silent = true
      if (time.monotonic() - reached.heardAt < patienceMs) {
        if (!announced) return
        log.warn('the container engine does not answer; no new task in a container is taken', {
          reason: describeError(error),
        })
        this.#plan()
        changed()
        return
      }
      const reason = `${describeError(error)}.`
      log.warn('the container engine does not answer any more; what it runs is given up', { reason })
      this.#reached = undefined
      reached.lost.abort(reason)
      changed()
    }
  }
}

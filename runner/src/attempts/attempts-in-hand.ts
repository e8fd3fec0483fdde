import type { Assign } from '@signalbox/contracts/runner'
import type { BegunFences } from '../identity/begun-fences.ts'
import type { AttemptNeeds, OutgoingMessage } from './attempt.ts'
import { Attempt } from './attempt.ts'
import type { Stop } from './attempt-state.ts'

/** Every attempt that this runner has not yet brought to its acknowledged end. */
export class AttemptsInHand {
  readonly #attempts = new Map<bigint, Attempt>()
  readonly #options: AttemptNeeds & { readonly begun: BegunFences }
  // Attempts with something to send, in turn: a flood of one does not hold up the rest.
  #waiting = new Set<Attempt>()

  constructor(options: AttemptNeeds & { readonly begun: BegunFences }) {
    this.#options = options
  }

  get size(): number {
    return this.#attempts.size
  }

  /** Fences of all attempts in hand: what a heartbeat renews and a hello names. */
  fences(): bigint[] {
    return [...this.#attempts.keys()]
  }

  /** Fences that are no longer in hand: a hello names them, so that no other attempt gets them. */
  givenUp(): bigint[] {
    return this.#options.begun.list().filter((fence) => !this.#attempts.has(fence))
  }

  /** Begins an attempt; an assignment that came twice is taken once. */
  assign(assign: Assign): void {
    if (this.#attempts.has(assign.fence)) return
    this.#options.begun.add(assign.fence)
    const attempt: Attempt = new Attempt(assign, {
      ...this.#options,
      gone: (fence) => this.#drop(fence),
      wake: () => {
        this.#waiting.add(attempt)
        this.#options.wake()
      },
    })
    this.#attempts.set(assign.fence, attempt)
    attempt.begin()
  }

  cancel(fence: bigint, reason: string): void {
    this.stop(fence, { why: 'canceled', reason: reason === '' ? 'The task was canceled.' : reason })
  }

  stop(fence: bigint, stop: Stop): void {
    this.#attempts.get(fence)?.stop(stop)
  }

  stopAll(why: Stop['why'], reason: string): void {
    for (const attempt of this.#attempts.values()) attempt.stop({ why, reason })
  }

  lose(fences: Iterable<bigint>): void {
    for (const fence of fences) {
      this.#attempts.get(fence)?.lose()
      this.#options.begun.forget(fence)
    }
  }

  /** Kills the attempt if another one may follow its lease; returns whether it did. */
  endWithLease(fence: bigint): boolean {
    return this.#attempts.get(fence)?.endWithLease() ?? false
  }

  acknowledgeLines(fence: bigint, nextLine: number): void {
    this.#attempts.get(fence)?.acknowledgeLines(nextLine)
  }

  acknowledgeFinish(fence: bigint): void {
    this.#attempts.get(fence)?.acknowledgeFinish()
    this.#options.begun.forget(fence)
  }

  /** On a new stream: what this attempt has to say is said again from `nextLine` on. */
  resume(fence: bigint, nextLine: number): void {
    const attempt = this.#attempts.get(fence)
    if (attempt === undefined) return
    attempt.rewind(nextLine)
    this.#waiting.add(attempt)
  }

  /** The next message of whichever attempt's turn it is. */
  nextMessage(): OutgoingMessage | undefined {
    for (const attempt of this.#waiting) {
      this.#waiting.delete(attempt)
      const message = attempt.nextMessage()
      if (message === undefined) continue
      this.#waiting.add(attempt)
      return message
    }
    return undefined
  }

  #drop(fence: bigint): void {
    const attempt = this.#attempts.get(fence)
    if (attempt === undefined) return
    this.#attempts.delete(fence)
    this.#waiting.delete(attempt)
    this.#options.gone(fence)
  }
}

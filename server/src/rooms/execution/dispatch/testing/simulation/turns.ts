/** Work that must not run beside a round waits for the end of the round. */
export class Turns {
  #waiting: (() => void)[] = []
  #busy = false

  /** Does it once all before it have ended; it says itself when it has. */
  take(turn: () => void): void {
    this.#waiting.push(turn)
    this.#next()
  }

  end(): void {
    this.#busy = false
    this.#next()
  }

  /** The process has died. */
  forget(): void {
    this.#waiting = []
    this.#busy = false
  }

  #next(): void {
    if (this.#busy) return
    const turn = this.#waiting.shift()
    if (turn === undefined) return
    this.#busy = true
    turn()
  }
}

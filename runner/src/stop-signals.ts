/** Requests to stop, counted: the first drains, the second cancels, the third ends. */
export type Stops = Disposable & {
  /** Aborted with the first request. */
  readonly signal: AbortSignal
  /** Calls `listener` with 1, 2, 3, ...; requests that came before are told at once. */
  listen(listener: (count: number) => void): void
}

export type StopSource = () => Stops

/** Stops on request: for a program that embeds a runner, and for tests. */
export class StopButton {
  #count = 0
  #listener: ((count: number) => void) | undefined
  readonly #first = new AbortController()

  press(): void {
    this.#count++
    this.#first.abort()
    this.#listener?.(this.#count)
  }

  /** The source to hand to `runRunner`. */
  readonly source: StopSource = () => ({
    signal: this.#first.signal,
    listen: (listener) => {
      this.#listener = listener
      for (let count = 1; count <= this.#count; count++) listener(count)
    },
    [Symbol.dispose]: () => {
      this.#listener = undefined
    },
  })
}

/** SIGTERM and SIGINT of this process; the third one ends it as if nobody listened. */
export const stopSignals: StopSource = () => {
  const button = new StopButton()
  let count = 0
  const press = (name: NodeJS.Signals) => {
    if (++count < 3) {
      button.press()
      return
    }
    release()
    process.kill(process.pid, name)
  }
  const release = () => {
    process.off('SIGTERM', press)
    process.off('SIGINT', press)
  }
  process.on('SIGTERM', press)
  process.on('SIGINT', press)
  const stops = button.source()
  return { signal: stops.signal, listen: stops.listen, [Symbol.dispose]: release }
}

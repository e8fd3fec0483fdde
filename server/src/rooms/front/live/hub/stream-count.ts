/** A browser has one stream for each tab; programs have a few. */
export const MOST_STREAMS = 256

/** Counts the open streams of each account in this process. */
export class StreamCount {
  readonly #open = new Map<string, number>()

  /** Counts one more until the signal aborts; false where the account has as many as it may. */
  take(account: string, signal: AbortSignal): boolean {
    const open = this.#open.get(account) ?? 0
    if (open >= MOST_STREAMS || signal.aborted) return false
    this.#open.set(account, open + 1)
    signal.addEventListener('abort', () => this.#giveBack(account), { once: true })
    return true
  }

  #giveBack(account: string): void {
    const left = (this.#open.get(account) ?? 1) - 1
    if (left > 0) this.#open.set(account, left)
    else this.#open.delete(account)
  }
}

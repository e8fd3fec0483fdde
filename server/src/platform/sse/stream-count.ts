/** A browser has one stream for each tab; programs have a few. */
export const MOST_STREAMS = 256

/** Whose tokens and sessions share what one may have. */
interface Account {
  readonly kind: string
  readonly id: string
}

/** Counts the open streams of one kind in this process, by account. */
export class StreamCount {
  readonly #open = new Map<string, number>()

  /** Counts one more until the signal aborts; false where the account has as many as it may. */
  take({ kind, id }: Account, signal: AbortSignal): boolean {
    const account = `${kind}:${id}`
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

/** What a click opens is read in several steps, some of them after the first answers: so long it is still the person's. */
const ACT_MS = 30_000

/** What a browser tells of a person. A click alone may also come from a screen reader, without pointer and key. */
const ACTS = ['pointerdown', 'keydown', 'wheel', 'click'] as const

/** Whether somebody is at the page, so that its session is used by what it asks. */
export class Presence {
  readonly #now: () => number
  /** Whoever opens the page is there. */
  #actedAt: number

  /** The clock goes on while the machine sleeps. */
  constructor(now: () => number = Date.now) {
    this.#now = now
    this.#actedAt = now()
  }

  act(): void {
    this.#actedAt = this.#now()
  }

  /** Nobody is: what the page asks now, it asks by itself. */
  isAway(): boolean {
    return this.#now() - this.#actedAt >= ACT_MS
  }

  /** Heeds what a person does in the tab; answers how to stop. */
  watch(tab: Document): () => void {
    const onAct = ({ isTrusted }: Event): void => {
      // Else a script did it.
      if (isTrusted) this.act()
    }
    const onShown = (): void => {
      if (!tab.hidden) this.act()
    }
    const options = { capture: true, passive: true }
    for (const act of ACTS) tab.addEventListener(act, onAct, options)
    tab.addEventListener('visibilitychange', onShown)
    return () => {
      for (const act of ACTS) tab.removeEventListener(act, onAct, options)
      tab.removeEventListener('visibilitychange', onShown)
    }
  }
}

/** One for a page. */
export const presence = new Presence()

/** The header of a request that the page makes by itself: it leaves the last use of the session as it was. */
export function backgroundHeader(): Record<string, string> {
  return presence.isAway() ? { 'signalbox-background': 'true' } : {}
}

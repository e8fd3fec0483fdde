/** What is waited for in the page: an element with this text, so many of them, or that none is left. */
export interface Wanted {
  readonly selector: string
  readonly text?: string
  /** Default: 1; 0 means that none is left. */
  readonly count?: number
  /** How far down the page is scrolled, at least. */
  readonly scrolledTo?: number
}

/** When it began and when it was painted, by the clock of the page (`performance.now()`). */
export interface Painted {
  readonly from: number
  readonly to: number
}

/** What stands in every page that is measured, as `window.bench`. */
export interface Probe {
  /** What was wanted when the page was opened: from the start of the navigation. */
  readonly opened: Promise<Painted> | undefined
  /** Waits for it from now on. */
  watch(wanted: Wanted): Promise<Painted>
  /** Begins to wait; the clock starts with the next event of this kind. `result` answers. */
  arm(event: 'click' | 'keydown', wanted: Wanted): void
  result: Promise<Painted> | undefined
  /** Main thread held for longer than 50 ms, since the page was opened. */
  readonly longTasks: { readonly from: number; readonly ms: number }[]
  /** The longest times from an input to its next paint (Event Timing), by interaction. */
  readonly inputs: Map<number, number>
}

declare global {
  interface Window {
    bench: Probe
  }
}

/** Runs in the page, before its own scripts; stands alone, since its text is sent there. */
export function installProbe(wanted: Wanted | undefined): void {
  function isThere({ selector, text, count = 1, scrolledTo = 0 }: Wanted): boolean {
    const all = [...document.querySelectorAll(selector)]
    const fitting = text === undefined ? all : all.filter(({ textContent }) => textContent?.includes(text))
    if (count === 0 ? fitting.length > 0 : fitting.length < count) return false
    // To ask where the page is scrolled to lays it out, in the midst of what is measured.
    return scrolledTo === 0 || window.scrollY >= scrolledTo
  }

  /** Resolves after the frame in which it is drawn, once the main thread is free. */
  function painted(what: Wanted): Promise<number> {
    return new Promise((resolve) => {
      const afterPaint = (): void => {
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', () => {
          channel.port1.close()
          resolve(performance.now())
        })
        channel.port1.start()
        requestAnimationFrame(() => channel.port2.postMessage(undefined))
      }
      if (isThere(what)) return afterPaint()
      const look = (): void => {
        if (!isThere(what)) return
        observer.disconnect()
        window.removeEventListener('scroll', look)
        afterPaint()
      }
      const observer = new MutationObserver(look)
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
      if (what.scrolledTo !== undefined) window.addEventListener('scroll', look, { passive: true })
    })
  }

  const longTasks: { from: number; ms: number }[] = []
  const inputs = new Map<number, number>()
  window.bench = {
    opened: wanted && painted(wanted).then((to) => ({ from: 0, to })),
    async watch(what) {
      const from = performance.now()
      return { from, to: await painted(what) }
    },
    arm(event, what) {
      this.result = new Promise((resolve) => {
        const begin = ({ timeStamp }: Event): void => void painted(what).then((to) => resolve({ from: timeStamp, to }))
        window.addEventListener(event, begin, { capture: true, once: true })
      })
    },
    result: undefined,
    longTasks,
    inputs,
  }
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ from: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })
  const events: PerformanceObserverInit & { durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
    buffered: true,
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(entry instanceof PerformanceEventTiming) || entry.interactionId === 0) continue
      inputs.set(entry.interactionId, Math.max(inputs.get(entry.interactionId) ?? 0, entry.duration))
    }
  }).observe(events)
}

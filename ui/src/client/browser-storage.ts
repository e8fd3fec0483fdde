/** What is kept in this browser. Where it keeps nothing (storage is off, or full) all is as if nothing had been kept. */
export const browserStorage = {
  getItem(key: string): string | null {
    return attempt(() => localStorage.getItem(key)) ?? null
  },
  setItem(key: string, value: string): void {
    attempt(() => localStorage.setItem(key, value))
  },
  removeItem(key: string): void {
    attempt(() => localStorage.removeItem(key))
  },
  keys(): readonly string[] {
    return attempt(() => Object.keys(localStorage)) ?? []
  },
} as const

/** The property itself throws where storage is off. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Whether this browser can keep anything: else it is unknown whether something was kept before. */
export function keepsThings(): boolean {
  return attempt(() => localStorage.length) !== undefined
}

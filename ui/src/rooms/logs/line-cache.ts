import type { LogEntry } from './log-entry.ts'

/** Lines of one page. */
export const PAGE_LINES = 500
/** The most lines that are kept in memory, whatever the length of the log. */
export const KEPT_LINES = 30_000

/** The newest pages of lines that were looked at. */
export class LineCache {
  readonly #pages = new Map<string, Map<number, LogEntry>>()

  get(section: string, number: number): LogEntry | undefined {
    const key = keyOf(section, number)
    const page = this.#pages.get(key)
    if (!page) return undefined
    // The page that was used last is dropped last.
    this.#pages.delete(key)
    this.#pages.set(key, page)
    return page.get(number)
  }

  put(section: string, entry: LogEntry): void {
    const key = keyOf(section, entry.number)
    const page = this.#pages.get(key) ?? new Map<number, LogEntry>()
    this.#pages.set(key, page.set(entry.number, entry))
    for (const [oldest] of this.#pages) {
      if (this.#pages.size * PAGE_LINES <= KEPT_LINES) return
      this.#pages.delete(oldest)
    }
  }

  clear(): void {
    this.#pages.clear()
  }

  /** Lines that are kept. */
  get size(): number {
    return this.#pages.values().reduce((sum, page) => sum + page.size, 0)
  }
}

export function pageOf(number: number): number {
  return Math.floor(number / PAGE_LINES)
}

function keyOf(section: string, number: number): string {
  return `${section} ${pageOf(number)}`
}

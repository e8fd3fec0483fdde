/** A page that stays open: the topics it follows, and what it reads again when one of them tells of a change. */
export interface OpenPage {
  readonly token: string
  readonly topics: readonly string[]
  readonly reads: readonly string[]
  /** Changes of so long are read together. */
  readonly gatherMs?: number
}

/** What the process of open pages is asked for. */
export type PagesOrder =
  | { readonly order: 'open'; readonly url: string; readonly pages: readonly OpenPage[] }
  | { readonly order: 'report' }
  | { readonly order: 'close' }

export interface PagesReport {
  /** Each event that named a thing: its id, and when it came (ms since the epoch). */
  readonly heard: readonly (readonly [id: string, at: number])[]
  /** Answered requests since the last report. */
  readonly reads: number
  /** Requests and streams that failed since then, by what was answered. */
  readonly failures: Readonly<Record<string, number>>
}

export function isPagesOrder(message: unknown): message is PagesOrder {
  return typeof message === 'object' && message !== null && 'order' in message
}

export function isPagesReport(message: unknown): message is PagesReport {
  return typeof message === 'object' && message !== null && 'heard' in message
}

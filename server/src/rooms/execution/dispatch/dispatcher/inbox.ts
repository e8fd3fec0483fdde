import type { Clock } from '#platform/time'
import type { InboxItem } from '../rules/inbox.ts'
import { BEGINS_MS, patienceFor } from '../rules/patience.ts'

interface Arrived {
  readonly item: InboxItem
  readonly since: number
}

/** The items that wait for a round of the dispatcher, in the order of their arrival. */
export class Inbox {
  readonly #clock: Clock
  #arrived: Arrived[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#arrived.length
  }

  push(items: readonly InboxItem[]): void {
    const since = this.#clock.monotonic()
    for (const item of items) this.#arrived.push({ item, since })
  }

  /** Puts items back that could not be stored; they come first in the next round. */
  putBack(items: readonly InboxItem[]): void {
    this.#arrived = [...items.map((item) => ({ item, since: Number.NEGATIVE_INFINITY })), ...this.#arrived]
  }

  /** How long the next round should wait for more, ms; see the rule. */
  patience(inHand: number, roundEndedAt: number): number {
    const now = this.#clock.monotonic()
    const oldest = this.#arrived[0]
    if (!oldest || this.#arrived.some(({ item }) => isEvent(item))) return 0
    const results = this.#arrived.reduce((count, { item }) => count + Number(item.kind === 'finished'), 0)
    return patienceFor({ results, inHand, sinceRoundMs: now - roundEndedAt, sinceOldestMs: now - oldest.since })
  }

  /**
   * Takes what the next round stores, `most` at most. Where it can be patient, that a task began just now stays for the end
   * of that task, and one write stores both. Not beside anything but results: that must find each task as it is.
   */
  take(most: number, patient: boolean): InboxItem[] {
    const whole = this.#arrived.length <= most
    const next = this.#arrived.splice(0, most)
    if (!patient || !whole || next.some(({ item }) => isEvent(item))) return next.map(({ item }) => item)
    const youngest = this.#clock.monotonic() - BEGINS_MS
    const ended = new Set(next.flatMap(({ item }) => (item.kind === 'finished' ? [item.assignment.fence] : [])))
    const stays = ({ item, since }: Arrived) =>
      item.kind === 'started' && since > youngest && !ended.has(item.assignment.fence)
    this.#arrived = next.filter(stays)
    return next.filter((each) => !stays(each)).map(({ item }) => item)
  }
}

function isEvent({ kind }: InboxItem): boolean {
  return kind !== 'started' && kind !== 'finished'
}

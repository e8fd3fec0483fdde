interface Entry {
  readonly at: number
  readonly order: number
  readonly work: () => void
}

/** Simulated time: what is planned happens in its order, and time passes only between. Milliseconds from 0. */
export class Agenda {
  now = 0
  #order = 0
  /** A binary heap, the earliest first. */
  readonly #entries: Entry[] = []

  after(ms: number, work: () => void): void {
    const entry = { at: this.now + Math.max(0, ms), order: this.#order++, work }
    const entries = this.#entries
    let at = entries.length
    entries.push(entry)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = entries[parent]
      if (above === undefined || isBefore(above, entry)) break
      entries[at] = above
      at = parent
    }
    entries[at] = entry
  }

  /** Lets the next thing happen; false when it would be after `end`, or there is none. */
  step(end: number): boolean {
    const first = this.#entries[0]
    if (first === undefined || first.at > end) return false
    this.#removeFirst()
    this.now = first.at
    first.work()
    return true
  }

  #removeFirst(): void {
    const entries = this.#entries
    const last = entries.pop()
    if (last === undefined || entries.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      const left = entries[child]
      if (left === undefined) break
      const right = entries[child + 1]
      if (right !== undefined && isBefore(right, left)) child += 1
      const smaller = entries[child]
      if (smaller === undefined || isBefore(last, smaller)) break
      entries[at] = smaller
      at = child
    }
    entries[at] = last
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

/** A program that may be killed, started again, or stopped for a while as a whole. */
export class Machine {
  readonly #agenda: Agenda
  #life = 0
  #frozen = false
  readonly #backlog: (() => void)[] = []
  up = true
  /** When it last went on after it was frozen. */
  thawedAt = Number.NEGATIVE_INFINITY

  constructor(agenda: Agenda) {
    this.#agenda = agenda
  }

  get frozen(): boolean {
    return this.#frozen
  }

  /** Happens only in this life, and not before it goes on. */
  after(ms: number, work: () => void): void {
    const life = this.#life
    const run = () => {
      if (life !== this.#life) return
      if (this.#frozen) this.#backlog.push(run)
      else work()
    }
    this.#agenda.after(ms, run)
  }

  die(): void {
    this.#life += 1
    this.up = false
    this.#frozen = false
    this.#backlog.length = 0
  }

  freeze(): void {
    this.#frozen = true
  }

  thaw(): void {
    if (!this.#frozen) return
    this.#frozen = false
    this.thawedAt = this.#agenda.now
    for (const work of this.#backlog.splice(0)) work()
  }
}

/** Numbers of lines that are not shown: a closed fold behind its first line, or lines that are missing. */
export interface Hidden {
  readonly from: number
  /** The last one. */
  readonly to: number
}

export interface Section {
  readonly key: string
  readonly isOpen: boolean
  /** Lines so far. */
  readonly total: number
  readonly hidden: readonly Hidden[]
}

/** A row of the view. */
export type Row =
  | { readonly kind: 'head'; readonly section: string }
  | { readonly kind: 'line'; readonly section: string; readonly number: number }

/** Which row shows what, for logs of any length: nothing here grows with the lines. */
export class Rows {
  readonly #sections: readonly Section[]
  /** The row of the head of each section. */
  readonly #starts: readonly number[]
  readonly count: number

  constructor(sections: readonly Section[]) {
    this.#sections = sections
    const starts: number[] = []
    let count = 0
    for (const section of sections) {
      starts.push(count)
      count += 1 + shownOf(section)
    }
    this.#starts = starts
    this.count = count
  }

  at(row: number): Row | undefined {
    if (row < 0 || row >= this.count) return undefined
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#starts[middle] ?? 0) <= row) low = middle
      else high = middle - 1
    }
    const section = this.#sections[low]
    if (!section) return undefined
    const within = row - (this.#starts[low] ?? 0)
    if (within === 0) return { kind: 'head', section: section.key }
    return { kind: 'line', section: section.key, number: numberOf(section, within - 1) }
  }

  /** The row of a line; of a hidden one that of the line before it. Undefined: its section is closed or unknown. */
  of(key: string, number: number): number | undefined {
    const at = this.#sections.findIndex((section) => section.key === key)
    const section = this.#sections[at]
    if (!section?.isOpen || number >= section.total) return undefined
    let before = 0
    for (const { from, to } of section.hidden) {
      if (from > number) break
      before += Math.min(to, number) - from + 1
    }
    return (this.#starts[at] ?? 0) + 1 + number - before
  }

  headOf(key: string): number | undefined {
    return this.#starts[this.#sections.findIndex((section) => section.key === key)]
  }
}

function shownOf({ isOpen, total, hidden }: Section): number {
  if (!isOpen) return 0
  return total - hidden.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, total - 1) - from + 1), 0)
}

function numberOf({ hidden }: Section, shown: number): number {
  let number = shown
  for (const { from, to } of hidden) {
    if (from > number) break
    number += to - from + 1
  }
  return number
}

/** With one more hidden part; parts are kept in order and never overlap. */
export function hide(hidden: readonly Hidden[], added: Hidden): readonly Hidden[] {
  if (added.to < added.from) return hidden
  const apart = hidden.filter(({ from, to }) => to < added.from - 1 || from > added.to + 1)
  const joined = hidden.filter((each) => !apart.includes(each))
  const from = Math.min(added.from, ...joined.map((each) => each.from))
  const to = Math.max(added.to, ...joined.map((each) => each.to))
  return [...apart, { from, to }].toSorted((a, b) => a.from - b.from)
}

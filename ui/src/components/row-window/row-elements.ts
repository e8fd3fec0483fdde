/** A row in sight, and how far below the top of the window it stands. */
export interface RowInSight {
  readonly row: Element
  readonly top: number
}

/** The rows of items: others stand in place of those that are not drawn. */
export function drawnIn(body: Element): readonly Element[] {
  return [...body.children].filter((row) => !row.hasAttribute('data-gap'))
}

/** Of the row's item: the head is the first row. Where all rows are drawn they have no numbers. */
export function indexIn(row: Element): number {
  const position = row.getAttribute('aria-rowindex')
  return position === null ? [...(row.parentElement?.children ?? [])].indexOf(row) : Number(position) - 2
}

export function rowIn(body: Element, index: number): Element | null | undefined {
  return body.querySelector(`:scope > [aria-rowindex="${index + 2}"]`) ?? drawnIn(body)[index]
}

/** The row that stays in its place; null while the list begins in sight, or is not in sight. */
export function firstInSight(body: Element): RowInSight | null {
  if (body.getBoundingClientRect().top >= 0) return null
  for (const row of drawnIn(body)) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > 0 && top < window.innerHeight) return { row, top }
  }
  return null
}

import { Component, createRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { historyEntry, type KeptPlace, keepWindow, keptWindow } from './kept-windows.ts'
import { drawnIn, firstInSight, indexIn, type RowInSight, rowIn } from './row-elements.ts'
import {
  drawnRows,
  indexOfRow,
  type KnownRow,
  MOST_WHOLE,
  offsetsOf,
  RowHeights,
  type Rows,
  rowsAround,
  rowsInSight,
} from './row-window.ts'

interface WindowedRowsProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** How many cells a row has. */
  readonly columns: number
  /** A `tr` with its `aria-rowindex`. */
  readonly draw: (item: Item, index: number) => ReactNode
}

interface WindowState {
  readonly first: KnownRow
  readonly count: number
  readonly focused: KnownRow | undefined
  /** Paper has no window. */
  readonly isPrinted: boolean
  /** Counts when rows outside the window are taken for higher or lower than before. */
  readonly measured: number
}

/** The lists that are drawn in parts. */
export function isWindowed(count: number): boolean {
  return count > MOST_WHOLE
}

/**
 * The body of a table of which only the rows near those in sight are drawn; empty rows keep the height of the others. A
 * class, since only a class is told of the moment before the document changes: what is in sight then stays in its place.
 */
export class WindowedRows<Item> extends Component<WindowedRowsProps<Item>, WindowState> {
  readonly #body = createRef<HTMLTableSectionElement>()
  #heights = new RowHeights()
  #shape = ''
  #columns: readonly string[] = []
  #frame: number | undefined
  /** Where one comes back to, until one is there. */
  #place: KeptPlace | undefined
  readonly #sizes = new ResizeObserver(() => this.#sized())

  constructor(props: WindowedRowsProps<Item>) {
    super(props)
    const kept = keptWindow(this.#entry())
    this.#place = kept?.place
    if (kept) ({ heights: this.#heights, shape: this.#shape, columns: this.#columns } = kept)
    this.state = {
      // Who comes back waits for the rows in sight alone; those around them follow.
      first: kept?.place.row ?? { key: '', index: 0 },
      // All that was drawn before the list came to be drawn in parts.
      count: kept?.place.count ?? MOST_WHOLE,
      focused: undefined,
      isPrinted: false,
      measured: 0,
    }
  }

  override componentDidMount(): void {
    document.addEventListener('scroll', this.#look, { capture: true, passive: true })
    window.addEventListener('resize', this.#look)
    window.addEventListener('beforeprint', this.#print)
    window.addEventListener('afterprint', this.#print)
    this.#body.current?.addEventListener('focusin', this.#focus)
    const table = this.#table()
    if (table) this.#sizes.observe(table)
    this.#holdColumns()
    this.#measure()
    this.#comeBack()
  }

  override getSnapshotBeforeUpdate({ items }: WindowedRowsProps<Item>): RowInSight | null {
    // As the columns are while all rows are there, they stay.
    if (!isWindowed(items.length) && isWindowed(this.props.items.length)) this.#holdColumns()
    const body = this.#body.current
    return body ? firstInSight(body) : null
  }

  override componentDidUpdate({ columns }: WindowedRowsProps<Item>, _: WindowState, anchor: RowInSight | null): void {
    if (columns !== this.props.columns) this.#columns = []
    this.#holdColumns()
    this.#measure()
    if (!anchor?.row.isConnected) return
    const moved = anchor.row.getBoundingClientRect().top - anchor.top
    if (Math.abs(moved) >= 1) window.scrollBy(0, moved)
  }

  override componentWillUnmount(): void {
    document.removeEventListener('scroll', this.#look, { capture: true })
    window.removeEventListener('resize', this.#look)
    window.removeEventListener('beforeprint', this.#print)
    window.removeEventListener('afterprint', this.#print)
    this.#sizes.disconnect()
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
  }

  override render(): ReactNode {
    const { items, draw } = this.props
    const offsets = this.#offsets()
    const parts: ReactNode[] = []
    let end = 0
    const skipTo = (next: number): void => {
      const height = (offsets[next] ?? 0) - (offsets[end] ?? 0)
      if (next > end) parts.push(<Gap key={` gap ${parts.length === 1 ? 'first' : next}`} height={height} />)
    }
    for (const { from, to } of this.#drawn()) {
      skipTo(from)
      for (let index = from; index < to; index++) {
        const item = items[index]
        if (item !== undefined) parts.push(draw(item, index))
      }
      end = to
    }
    return (
      <tbody ref={this.#body} role="rowgroup">
        {parts}
      </tbody>
    )
  }

  #drawn(): readonly Rows[] {
    const { items } = this.props
    const { first, count, focused, isPrinted } = this.state
    if (isPrinted || !isWindowed(items.length)) return [{ from: 0, to: items.length }]
    const from = this.#indexOf(first) ?? first.index
    return drawnRows(items.length, { from, to: from + count }, focused && this.#indexOf(focused))
  }

  #indexOf(row: KnownRow): number | undefined {
    return indexOfRow(row, this.#keyAt, this.props.items.length)
  }

  readonly #keyAt = (index: number): string | undefined => {
    const item = this.props.items[index]
    return item === undefined ? undefined : this.props.keyOf(item)
  }

  #offsets(): Float64Array {
    const { items, keyOf } = this.props
    return offsetsOf(items.map((item) => this.#heights.of(keyOf(item))))
  }

  /** The window goes where one looks, before the next frame. */
  readonly #look = (): void => {
    const body = this.#body.current
    if (!body || this.state.isPrinted || this.#place) return
    const { top } = body.getBoundingClientRect()
    const offsets = this.#offsets()
    const { from, to } = rowsAround(offsets, -top, window.innerHeight - top)
    const first = { key: this.#keyAt(from) ?? '', index: from }
    const isOther = first.key !== this.state.first.key || to - from !== this.state.count
    if (isOther && isWindowed(this.props.items.length)) flushSync(() => this.setState({ first, count: to - from }))
    this.#keep(body, rowsInSight(offsets, -top, window.innerHeight - top))
  }

  #keep(body: Element, { from, to }: Rows): void {
    const shown = firstInSight(body)
    const index = shown ? indexIn(shown.row) : from
    keepWindow(this.#entry(), {
      place: { row: { key: this.#keyAt(index) ?? '', index }, count: to - from, top: shown?.top },
      heights: this.#heights,
      shape: this.#shape,
      columns: this.#columns,
    })
  }

  /** The first row in sight stands where it stood, whatever came above the list since, or went. */
  #comeBack(): void {
    if (!this.#place) return
    this.#goTo(this.#place)
    // And after the router, which knows a height alone; the rows around those in sight come with the next frame.
    this.#frame = requestAnimationFrame(() => {
      if (this.#place) this.#goTo(this.#place)
      this.#frame = undefined
      this.#place = undefined
      this.#sized()
    })
  }

  #goTo({ row: known, top }: KeptPlace): void {
    const body = this.#body.current
    if (!body || top === undefined) return
    const index = this.#indexOf(known) ?? Math.min(known.index, this.props.items.length - 1)
    const row = rowIn(body, index)
    const moved = row ? Math.round(row.getBoundingClientRect().top - top) : 0
    if (moved !== 0) window.scrollBy(0, moved)
  }

  readonly #print = ({ type }: Event): void => {
    flushSync(() => this.setState({ isPrinted: type === 'beforeprint' }))
  }

  readonly #focus = ({ target }: FocusEvent): void => {
    const row = target instanceof Element ? target.closest('tr') : null
    if (!row) return
    const index = indexIn(row)
    const key = this.#keyAt(index)
    if (key !== undefined) this.setState({ focused: { key, index } })
  }

  #measure(): void {
    const body = this.#body.current
    if (!body || !isWindowed(this.props.items.length)) return
    const shape = `${body.clientWidth} ${document.documentElement.dataset['density'] ?? ''}`
    if (shape !== this.#shape) this.#heights.forget()
    this.#shape = shape
    const measured = drawnIn(body).flatMap((row) => {
      const key = this.#keyAt(indexIn(row))
      return key === undefined ? [] : [[key, row.getBoundingClientRect().height] as const]
    })
    if (!this.#heights.note(measured)) this.setState(({ measured: before }) => ({ measured: before + 1 }))
  }

  /** Not at once: the browser refuses that what it tells of a size changes the size. */
  #sized(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#measure()
      this.#look()
    })
  }

  /** The columns stay as wide as they are, whichever rows are drawn. */
  #holdColumns(): void {
    const table = this.#table()
    if (!table || !isWindowed(this.props.items.length)) return
    const heads = [...table.querySelectorAll('th')]
    if (this.#columns.length === 0) {
      // Cards have no columns.
      if (getComputedStyle(table).display !== 'table') return
      const width = table.getBoundingClientRect().width
      this.#columns = heads.map((head) => `${(head.getBoundingClientRect().width / width) * 100}%`)
    }
    for (const [at, head] of heads.entries()) head.style.width = this.#columns[at] ?? ''
  }

  #table(): HTMLTableElement | undefined {
    return this.#body.current?.closest('table') ?? undefined
  }

  #entry(): string {
    return `${historyEntry(window.location.href)} ${this.props.label}`
  }
}

/** Stands where rows are not drawn. */
function Gap({ height }: { readonly height: number }): ReactNode {
  return <tr data-gap="" aria-hidden style={{ height }} />
}

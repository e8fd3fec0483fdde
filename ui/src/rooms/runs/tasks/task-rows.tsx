import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import styles from './task-rows.module.css'

interface TaskRowsProps<Row> {
  /** What the rows are, for a reader. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** 1: a step; 2: a task; 3: an attempt. */
  readonly levelOf: (row: Row) => number
  readonly selected: string | undefined
  readonly onSelect: (row: Row) => void
  /** Cells of the head, each with the role of a column header. */
  readonly head: ReactNode
  /** Cells of a row, each with the role of a grid cell. */
  readonly children: (row: Row) => ReactNode
  readonly className?: string | undefined
}

/**
 * Steps, tasks and attempts in rows, of which only those in sight are drawn. One stop of Tab: the arrows move the
 * selection.
 */
export function TaskRows<Row>(props: TaskRowsProps<Row>): ReactNode {
  const { label, rows, keyOf, levelOf, selected, onSelect, head, children, className } = props
  const list = useRef<VirtualizerHandle>(null)
  const base = useId()
  // The row of the queue has no key: nothing that is chosen is not it.
  const at = selected === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected)

  const reveal = useEffectEvent((_selected: string | undefined) => {
    const handle = list.current
    if (at < 0 || !handle) return
    const top = handle.getItemOffset(at)
    const isSeen =
      top >= handle.scrollOffset && top + handle.getItemSize(at) <= handle.scrollOffset + handle.viewportSize
    if (!isSeen) handle.scrollToIndex(at, { align: 'nearest' })
  })
  useEffect(() => reveal(selected), [selected])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    const row = next === undefined ? undefined : rows[Math.max(0, Math.min(rows.length - 1, next))]
    if (row === undefined) return
    event.preventDefault()
    onSelect(row)
  }

  function onClick({ target }: MouseEvent): void {
    const line = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null
    const row = rows[Number(line?.dataset['at'] ?? -1)]
    if (row !== undefined) onSelect(row)
  }

  return (
    <div
      className={`${styles['rows']} ${className ?? ''}`}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={at < 0 ? undefined : `${base}${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div className={styles['head']} role="row" aria-rowindex={1}>
        {head}
      </div>
      <Virtualizer ref={list} data={rows} keepMounted={at < 0 ? [] : [at]}>
        {(row, index) => (
          <div
            key={keyOf(row)}
            id={`${base}${index}`}
            className={styles['row']}
            role="row"
            data-at={index}
            aria-level={levelOf(row)}
            aria-rowindex={index + 2}
            aria-selected={index === at}
          >
            {children(row)}
          </div>
        )}
      </Virtualizer>
    </div>
  )
}

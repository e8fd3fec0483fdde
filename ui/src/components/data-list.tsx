import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode, useCallback, useEffect, useRef } from 'react'
import { ChoiceBox } from './choice-box.tsx'
import styles from './data-list.module.css'
import { ProblemNotice } from './problem-notice.tsx'
import { isWindowed, WindowedRows } from './row-window/windowed-rows.tsx'

export interface Column<Item> {
  /** `actions`: the buttons of a row, at its end. */
  readonly key: string
  readonly header: string
  readonly cell: (item: Item) => ReactNode
  /** Numbers stand right. */
  readonly isNumber?: boolean
  /** On phones the header is left out before this cell: it speaks for itself. */
  readonly isPlain?: boolean
  /** Stays on one line; what is longer than 12 rem is cut. */
  readonly isShort?: boolean
}

/** The rows that a person has chosen, by key. */
export interface Selection<Item> {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
  /** What a reader hears of the checkbox of a row. */
  readonly nameOf: (item: Item) => string
}

export interface DataListProps<Item> {
  /** What the rows are, for a reader. */
  readonly label: string
  readonly columns: readonly Column<Item>[]
  /** Undefined while the first page is read. */
  readonly items: readonly Item[] | undefined
  readonly keyOf: (item: Item) => string
  /** Shown instead of an empty list. */
  readonly empty: ReactNode
  readonly error?: Error | null
  readonly onRetry?: () => void
  readonly hasMore?: boolean
  readonly isReadingMore?: boolean
  readonly onMore?: () => void
  readonly selection?: Selection<Item>
}

/**
 * Rows of one kind; cards on a phone. The cell that names the row holds its link, made by `RowLink`: the whole row leads
 * there.
 */
export function DataList<Item>(props: DataListProps<Item>): ReactNode {
  const { label, columns, items, keyOf, empty, error, onRetry, selection } = props
  const choose = useChoose(selection)
  if (error && (items === undefined || items.length === 0)) {
    return <ProblemNotice error={error} {...(onRetry ? { onRetry } : {})} />
  }
  if (items?.length === 0) return empty
  const cells = columns.length + (selection ? 1 : 0)
  const isInParts = isWindowed(items?.length ?? 0)
  // -1: nobody knows how many follow.
  const rowCount = isInParts && items ? (props.hasMore ? -1 : items.length + 1) : undefined
  const drawRow = (item: Item, index: number): ReactNode => {
    const key = keyOf(item)
    const isChosen = selection?.chosen.has(key) === true
    const position = isInParts ? index + 2 : undefined
    return (
      <Row key={key} of={[item, columns, isChosen, position]}>
        {() => (
          <tr role="row" data-chosen={isChosen || undefined} aria-rowindex={position}>
            {selection && (
              <SelectOne label={selection.nameOf(item)} isChosen={isChosen} itemKey={key} onChoose={choose} />
            )}
            <Cells columns={columns} item={item} />
          </tr>
        )}
      </Row>
    )
  }
  return (
    <>
      {/* The roles are said, since cards on phones take those of a table away. */}
      <div className={styles['frame']}>
        <table
          className={styles['list']}
          role="table"
          aria-label={label}
          aria-busy={items === undefined}
          aria-rowcount={rowCount}
        >
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={rowCount && 1}>
              {selection && <SelectAll items={items ?? []} keyOf={keyOf} selection={selection} />}
              {columns.map(({ key, header, isNumber }) => (
                <th key={key} role="columnheader" scope="col" data-number={isNumber} data-actions={isOfActions(key)}>
                  {isOfActions(key) ? <VisuallyHidden>{header}</VisuallyHidden> : header}
                </th>
              ))}
            </tr>
          </thead>
          {items === undefined ? (
            <tbody role="rowgroup">
              <Placeholders columns={cells} />
            </tbody>
          ) : (
            <WindowedRows label={label} items={items} keyOf={keyOf} columns={cells} draw={drawRow} />
          )}
        </table>
      </div>
      <More {...props} />
    </>
  )
}

interface RowProps {
  /** What the row shows; the others of its list change without it. */
  readonly of: readonly unknown[]
  readonly children: () => ReactNode
}

/** Drawn again only when it shows something else: a list may hold a thousand. */
const Row = memo(
  function Row({ children }: RowProps): ReactNode {
    return children()
  },
  (before, after) => before.of.every((each, index) => each === after.of[index]),
)

interface CellsProps<Item> {
  readonly columns: readonly Column<Item>[]
  readonly item: Item
}

function Cells<Item>({ columns, item }: CellsProps<Item>): ReactNode {
  return columns.map(({ key, header, cell, isNumber, isPlain, isShort }) => (
    <td
      key={key}
      role="cell"
      data-label={isPlain ? undefined : header}
      data-number={isNumber}
      data-short={isShort}
      data-actions={isOfActions(key)}
    >
      {cell(item)}
    </td>
  ))
}

/** Chooses a row, or not, whatever the selection is by then. */
function useChoose<Item>(selection: Selection<Item> | undefined): (key: string, isChosen: boolean) => void {
  const current = useRef(selection)
  useEffect(() => {
    current.current = selection
  })
  return useCallback((key, isChosen) => {
    const next = new Set(current.current?.chosen)
    if (isChosen) next.add(key)
    else next.delete(key)
    current.current?.onChange(next)
  }, [])
}

/** The column with the buttons of a row; its head is for readers alone. */
function isOfActions(key: string): true | undefined {
  return key === 'actions' || undefined
}

function More<Item>({ hasMore, isReadingMore, onMore, error, onRetry }: DataListProps<Item>): ReactNode {
  if (error) return <ProblemNotice error={error} {...(onRetry ? { onRetry } : {})} />
  if (!hasMore || !onMore) return null
  return (
    <Button variant="default" mt="md" loading={isReadingMore ?? false} onClick={onMore}>
      Show more
    </Button>
  )
}

const PLACEHOLDERS = ['1', '2', '3', '4', '5', '6', '7', '8']

function Placeholders({ columns }: { readonly columns: number }): ReactNode {
  return PLACEHOLDERS.map((key) => (
    <tr key={key} role="row" aria-hidden>
      <td role="cell" colSpan={columns}>
        <Skeleton height="1em" radius="sm" />
      </td>
    </tr>
  ))
}

interface SelectAllProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly selection: Selection<Item>
}

function SelectAll<Item>({ items, keyOf, selection: { chosen, onChange } }: SelectAllProps<Item>): ReactNode {
  const isAll = items.length > 0 && items.every((item) => chosen.has(keyOf(item)))
  return (
    <th role="columnheader" scope="col" className={styles['choice']}>
      <ChoiceBox
        label="Choose all that are shown"
        isChosen={isAll}
        isInPart={!isAll && chosen.size > 0}
        onChoose={() => onChange(isAll ? new Set() : new Set(items.map(keyOf)))}
      />
    </th>
  )
}

interface SelectOneProps {
  readonly label: string
  readonly isChosen: boolean
  readonly itemKey: string
  readonly onChoose: (key: string, isChosen: boolean) => void
}

function SelectOne({ label, isChosen, itemKey, onChoose }: SelectOneProps): ReactNode {
  return (
    <td role="cell" className={styles['choice']}>
      <ChoiceBox label={`Choose ${label}`} isChosen={isChosen} onChoose={(is) => onChoose(itemKey, is)} />
    </td>
  )
}

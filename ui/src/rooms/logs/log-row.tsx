import type { MouseEvent, ReactNode } from 'react'
import { type LineRange, writeRange } from './log-entry.ts'
import { LogHead } from './log-head.tsx'
import { LogLine } from './log-line.tsx'
import type { LogStore } from './log-store.ts'
import type { Hit } from './search-log.ts'

interface LogRowProps {
  readonly store: LogStore
  readonly row: number
  readonly chosen: LineRange | undefined
  readonly hit: Hit | undefined
  readonly showsTime: boolean
  readonly needle: string
  readonly onChoose: (event: MouseEvent, range: LineRange) => void
}

/** A row of the log: the head of an attempt, or one of its lines. */
export function LogRow({ store, row, chosen, hit, showsTime, needle, onChoose }: LogRowProps): ReactNode {
  const shown = store.rows.at(row)
  const section = shown && store.sectionAt(shown.section)
  if (!section) return null
  const { section: key } = shown
  if (shown.kind === 'head') {
    const toggle = (): void => void store.open(key, !section.isOpen)
    return <LogHead attempt={section.attempt} isOpen={section.isOpen} total={section.total} onToggle={toggle} />
  }
  const { number } = shown
  const range: LineRange = { section: key, first: number, last: number }
  return (
    <LogLine
      number={number}
      entry={store.lineAt(key, number)}
      showsTime={showsTime}
      isChosen={chosen?.section === key && number >= chosen.first && number <= chosen.last}
      needle={needle}
      isCurrent={hit?.section === key && hit.number === number}
      isFolded={store.isClosed(key, number)}
      href={hrefOf(range)}
      onChoose={(event) => onChoose(event, range)}
      onFold={() => void store.toggleFold(key, number)}
    />
  )
}

/** The address of the page with these lines. */
export function hrefOf(range: LineRange): string {
  const [path = '', query = ''] = location.hash.split('?')
  const search = new URLSearchParams(query)
  search.set('line', writeRange(range))
  return `${path}?${search}`
}

import { type MouseEvent, memo, type ReactNode } from 'react'
import type { LineRange } from './log-entry.ts'
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
  readonly hrefOf: (range: LineRange) => string
  readonly onChoose: (event: MouseEvent, range: LineRange) => void
}

// Lines come by the thousand: what is drawn already stays as it is.
const Head = memo(LogHead)
const Line = memo(LogLine)

/** A row of the log: the head of an attempt, or one of its lines. */
export function LogRow({ store, row, chosen, hit, showsTime, needle, hrefOf, onChoose }: LogRowProps): ReactNode {
  const shown = store.rows.at(row)
  const section = shown && store.sectionAt(shown.section)
  if (!section) return null
  const { section: key } = shown
  if (shown.kind === 'head') {
    return <Head store={store} attempt={section.attempt} isOpen={section.isOpen} total={section.total} />
  }
  const { number } = shown
  return (
    <Line
      store={store}
      section={key}
      number={number}
      entry={store.lineAt(key, number)}
      showsTime={showsTime}
      isChosen={chosen?.section === key && number >= chosen.first && number <= chosen.last}
      needle={needle}
      isCurrent={hit?.section === key && hit.number === number}
      isFolded={store.isClosed(key, number)}
      hrefOf={hrefOf}
      onChoose={onChoose}
    />
  )
}

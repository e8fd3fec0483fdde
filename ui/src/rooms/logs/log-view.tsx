import type { ItemOf } from '@signalbox/contracts/http/requests'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import { type ReactNode, useEffect, useState } from 'react'
import { addressOf } from '../../client/index.ts'
import { EmptyState, showInvisible } from '../../components/index.ts'
import styles from './log-view.module.css'

type LogEntry = ItemOf<typeof logRoutes.listLogLines>

interface LogViewProps {
  readonly runId: string
  readonly isOver: boolean
  /** Only of this step, task or attempt; undefined: of the whole run. */
  readonly selection?: LogSelection | undefined
}

interface LogSelection {
  readonly step: string
  readonly task?: string
  readonly attempt?: number
}

/** The most lines that are kept. */
const KEPT = 5000

/** The log of a run as it grows. */
export function LogView({ runId, isOver, selection }: LogViewProps): ReactNode {
  const [lines, setLines] = useState<readonly LogEntry[]>([])
  const address = addressOf(logRoutes.followLogs, { params: { id: runId }, query: selection })
  useEffect(() => {
    const source = new EventSource(address)
    source.addEventListener('line', ({ data }) => {
      const entry: LogEntry = JSON.parse(String(data))
      setLines((known) => [...known, entry].slice(-KEPT))
    })
    source.addEventListener('end', () => source.close())
    return () => source.close()
  }, [address])
  if (lines.length === 0) {
    return (
      <EmptyState title="No line yet">{isOver ? 'The run wrote none.' : 'The first lines appear here.'}</EmptyState>
    )
  }
  return (
    <div className={styles['log']} role="log" aria-label="Log" tabIndex={0}>
      {lines.map((entry) => (
        <div key={`${entry.step}/${entry.task}/${entry.attempt}/${entry.number}`} data-stream={entry.stream}>
          {showInvisible(entry.line)}
        </div>
      ))}
    </div>
  )
}

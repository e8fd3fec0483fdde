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
}

/** The most lines that are kept. */
const KEPT = 5000

/** The log of a run as it grows. */
export function LogView({ runId, isOver }: LogViewProps): ReactNode {
  const [lines, setLines] = useState<readonly LogEntry[]>([])
  useEffect(() => {
    const source = new EventSource(addressOf(logRoutes.followLogs, { params: { id: runId } }))
    source.addEventListener('log', ({ data }) => {
      const entry: LogEntry = JSON.parse(String(data))
      setLines((known) => [...known, entry].slice(-KEPT))
    })
    source.addEventListener('end', () => source.close())
    return () => source.close()
  }, [runId])
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

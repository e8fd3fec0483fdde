import { Button } from '@mantine/core'
import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'
import type { LineRange } from './log-entry.ts'
import { LogList } from './log-list.tsx'
import { LogRow } from './log-row.tsx'
import type { LogSession } from './log-session.ts'
import styles from './log-view.module.css'
import type { Hit } from './search-log.ts'
import type { LogOptions } from './use-log-options.ts'

interface LogLinesProps {
  readonly session: LogSession
  readonly isOver: boolean
  readonly options: LogOptions
  readonly chosen: LineRange | undefined
  readonly hit: Hit | undefined
  readonly needle: string
  readonly hrefOf: (range: LineRange) => string
  readonly onChoose: (event: MouseEvent, range: LineRange) => void
}

/** The lines. They alone are drawn again when lines come. */
export function LogLines({ session, isOver, options, ...row }: LogLinesProps): ReactNode {
  const { store, window } = session
  useSyncExternalStore(store.subscribe, store.version)
  return (
    <>
      <LogList
        window={window}
        start={window.start}
        end={window.end}
        epoch={window.epoch}
        wraps={options.wraps}
        showsNumber={options.showsNumber}
        draw={(at) => <LogRow {...row} store={store} row={at} showsTime={options.showsTime} />}
      />
      {!isOver && !window.isFollowing && (
        <Button className={styles['more'] ?? ''} variant="default" onClick={() => window.follow(true)}>
          {describeCame(window.came)}
        </Button>
      )}
    </>
  )
}

function describeCame(came: number): string {
  if (came === 0) return 'Follow'
  return came === 1 ? '1 new line: follow' : `${came.toLocaleString('en')} new lines: follow`
}

import { Button } from '@mantine/core'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { addressOf, invalidate, read } from '../../client/index.ts'
import { EmptyState, ProblemNotice } from '../../components/index.ts'
import { attemptsOf, type Which } from './attempts.ts'
import { LogList } from './log-list.tsx'
import { LogRow } from './log-row.tsx'
import { LogSession } from './log-session.ts'
import type { AttemptOfLog } from './log-store.ts'
import { type LogOptions, LogToolbar } from './log-toolbar.tsx'
import styles from './log-view.module.css'
import { useChosenLines } from './use-chosen-lines.ts'
import { useLogSearch } from './use-log-search.ts'

interface LogViewProps {
  readonly runId: string
  readonly isOver: boolean
  /** Only of this step, task or attempt; undefined: of the whole run. */
  readonly selection?: Which | undefined
}

/** The log of a run, a step, a task or an attempt, of any length. */
export function LogView({ runId, isOver, selection = WHOLE }: LogViewProps): ReactNode {
  const run = useQuery(read(runRoutes.getRun, { params: { id: runId } }))
  if (!run.data) return <ProblemNotice error={run.error} onRetry={() => void run.refetch()} />
  const attempts = attemptsOf(run.data, selection)
  if (attempts.length === 0) {
    return (
      <EmptyState title="No line yet">{isOver ? 'The run wrote none.' : 'The first lines appear here.'}</EmptyState>
    )
  }
  // Another part of the run is another log.
  const key = [runId, selection.step, selection.task, selection.attempt].join('/')
  return <OpenLog key={key} {...{ runId, isOver, selection, attempts }} />
}

interface OpenLogProps extends LogViewProps {
  readonly selection: Which
  readonly attempts: readonly AttemptOfLog[]
}

const WHOLE: Which = {}
const FIRST_OPTIONS: LogOptions = { wraps: true, showsTime: false, isExpression: false, isFull: false }

function OpenLog({ runId, isOver, attempts, selection }: OpenLogProps): ReactNode {
  const { step, task, attempt } = selection
  const [session] = useState(() => new LogSession(runId))
  const { store, window } = session
  useSyncExternalStore(store.subscribe, store.version)
  const [options, setOptions] = useState(FIRST_OPTIONS)
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const [chosen, choose] = useChosenLines()
  const search = useLogSearch({ runId, text, isExpression: options.isExpression, ...selection }, (first) => {
    setCurrent(0)
    void session.go(first.section, first.number)
  })
  useAttempts(session, attempts, () => void session.begin(attempts, chosen))
  const client = useQueryClient()
  useEffect(() => {
    if (isOver) return undefined
    return session.follow({ step, task, attempt }, () => void invalidate(client, [runRoutes.getRun]))
  }, [session, client, isOver, step, task, attempt])
  useEscape(options.isFull, () => setOptions({ ...options, isFull: false }))

  const hit = search.hits[current]
  const stepBy = (by: 1 | -1): void => {
    const next = (current + by + search.hits.length) % search.hits.length
    const to = search.hits[next]
    if (!to) return
    setCurrent(next)
    void session.go(to.section, to.number)
  }
  return (
    <section className={styles['log']} aria-label="Log" data-full={options.isFull || undefined}>
      <LogToolbar
        {...{ text, onText: setText, search, current, options }}
        onStep={stepBy}
        onOptions={setOptions}
        onTop={() => {
          window.follow(false)
          window.show({ row: 0, align: 'start' })
        }}
        onEnd={() => window.follow(true)}
        download={addressOf(logRoutes.downloadLogs, { params: { id: runId }, query: selection })}
        onCopy={chosen && (() => void session.copy(chosen))}
      />
      <LogList
        window={window}
        start={window.start}
        end={window.end}
        epoch={window.epoch}
        wraps={options.wraps}
        draw={(row) => (
          <LogRow
            {...{ store, row, chosen, hit }}
            onChoose={choose}
            showsTime={options.showsTime}
            needle={options.isExpression ? '' : text}
          />
        )}
      />
      {!isOver && !window.isFollowing && (
        <Button className={styles['more'] ?? ''} variant="default" onClick={() => window.follow(true)}>
          {describeCame(window.came)}
        </Button>
      )}
    </section>
  )
}

function describeCame(came: number): string {
  if (came === 0) return 'Follow'
  return came === 1 ? '1 new line: follow' : `${came.toLocaleString('en')} new lines: follow`
}

/** The log begins once, and learns of the attempts of each answer. */
function useAttempts(session: LogSession, attempts: readonly AttemptOfLog[], begin: () => void): void {
  const first = useEffectEvent(begin)
  useEffect(() => {
    first()
    return () => session.store.rest()
  }, [session])
  useEffect(() => session.store.setAttempts(attempts, () => true), [session, attempts])
}

function useEscape(isOn: boolean, leave: () => void): void {
  const tell = useEffectEvent(leave)
  useEffect(() => {
    if (!isOn) return undefined
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') tell()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}

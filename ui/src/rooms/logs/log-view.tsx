import { logRoutes } from '@signalbox/contracts/logs/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { addressOf, invalidate, read } from '../../client/index.ts'
import { EmptyState, ProblemNotice } from '../../components/index.ts'
import { attemptsOf, type Which } from './attempts.ts'
import { writeRange } from './log-entry.ts'
import { LogLines } from './log-lines.tsx'
import { LogSession } from './log-session.ts'
import type { AttemptOfLog } from './log-store.ts'
import { LogToolbar } from './log-toolbar.tsx'
import styles from './log-view.module.css'
import { useLogAddress } from './use-log-address.ts'
import { useLogOptions } from './use-log-options.ts'
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
/** A search stands in the address when nobody types any more: the page is drawn anew with its address. */
const KEEP_MS = 600

function OpenLog({ runId, isOver, attempts, selection }: OpenLogProps): ReactNode {
  const { step, task, attempt } = selection
  const [session] = useState(() => new LogSession(runId))
  const [options, setOptions] = useLogOptions()
  const [isFull, setFull] = useState(false)
  const { address, hrefOf, choose, keepSearch } = useLogAddress()
  const [wish, setWish] = useState({
    text: address.text,
    isExpression: address.isExpression,
    isHeld: address.chosen !== undefined,
  })
  const [current, setCurrent] = useState(0)
  const search = useLogSearch({ runId, text: wish.text, isExpression: wish.isExpression, ...selection }, (first) => {
    setCurrent(0)
    // An address with chosen lines opens at them.
    if (!wish.isHeld) void session.goTo(first)
  })
  useAttempts(session, attempts, () => void session.begin(attempts, address.chosen))
  const client = useQueryClient()
  useEffect(() => {
    if (isOver) return undefined
    return session.follow({ step, task, attempt }, () => void invalidate(client, [runRoutes.getRun]))
  }, [session, client, isOver, step, task, attempt])
  useChanged(wish, KEEP_MS, () => keepSearch(wish.text, wish.isExpression))
  const { chosen } = address
  useChanged(chosen && writeRange(chosen), 0, () => chosen && void session.reveal(chosen))
  useEscape(isFull, () => setFull(false))

  const stepBy = (by: 1 | -1): void => {
    const next = (current + by + search.hits.length) % search.hits.length
    const to = search.hits[next]
    if (!to) return
    setCurrent(next)
    void session.go(to.section, to.number)
  }
  return (
    <section className={styles['log']} aria-label="Log" data-full={isFull || undefined}>
      <LogToolbar
        {...{ wish, search, current, options, isFull }}
        onWish={(changed) => setWish({ ...changed, isHeld: false })}
        onStep={stepBy}
        onOptions={setOptions}
        onFull={setFull}
        onTop={() => session.goToTop()}
        onEnd={() => session.window.follow(true)}
        download={addressOf(logRoutes.downloadLogs, { params: { id: runId }, query: selection })}
        copy={chosen && { lines: chosen.last - chosen.first + 1, read: () => session.read(chosen) }}
      />
      <LogLines
        {...{ session, isOver, options, chosen, hrefOf }}
        onChoose={choose}
        hit={search.hits[current]}
        needle={wish.isExpression ? '' : wish.text}
      />
    </section>
  )
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

/** Tells when a value is another one than at first, and has stayed so for a while. */
function useChanged<T>(value: T, whileMs: number, tell: () => void): void {
  const [first] = useState(value)
  const isFirst = useRef(true)
  const onChange = useEffectEvent(tell)
  useEffect(() => {
    if (isFirst.current && value === first) return undefined
    isFirst.current = false
    const timer = setTimeout(() => onChange(), whileMs)
    return () => clearTimeout(timer)
  }, [value, first, whileMs])
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

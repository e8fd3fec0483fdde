import { type CSSProperties, type ReactNode, useMemo } from 'react'
import { formatDuration, StatusBadge, showInvisible, useNow } from '../../../components/index.ts'
import { lookOf } from '../../../theme/index.ts'
import type { Run } from '../run.ts'
import type { RunSelection } from '../run-address.ts'
import { TaskRows } from '../tasks/task-rows.tsx'
import { type TimeScale, ticksOf } from './time-scale.ts'
import styles from './timeline.module.css'
import { type Bar, type TimelineRow, timelineOf } from './timeline.ts'

interface TimelineViewProps {
  readonly run: Run
  readonly selection: RunSelection | undefined
  readonly onSelect: (selection: RunSelection | undefined) => void
}

/** What ran when, and what the run's length came from. */
export function TimelineView({ run, selection, onSelect }: TimelineViewProps): ReactNode {
  const now = useNow(run.finished_at === null).getTime()
  const { rows, scale } = useMemo(() => timelineOf(run, now), [run, now])
  return (
    <TaskRows
      label="Timeline"
      className={styles['timeline']}
      rows={rows}
      keyOf={keyOf}
      levelOf={({ task }) => (task === undefined ? 1 : 2)}
      selected={selection ? keyOf(selection) : ''}
      onSelect={({ step, task }) =>
        onSelect(step === '' ? undefined : { step, ...(task === undefined ? {} : { task }) })
      }
      head={
        <>
          <span role="columnheader">Task</span>
          <span role="columnheader" className={styles['track']} aria-label="When">
            <Ticks scale={scale} />
          </span>
        </>
      }
    >
      {(row) => <Cells row={row} scale={scale} />}
    </TaskRows>
  )
}

function keyOf({ step, task }: { readonly step: string; readonly task?: string }): string {
  return task === undefined ? step : `${step}/${task}`
}

function Ticks({ scale }: { readonly scale: TimeScale }): ReactNode {
  return (
    <>
      {ticksOf(scale).map(({ after, place }) => (
        <span key={after} className={styles['tick']} style={{ left: percent(place) }}>
          {after === 0 ? '0' : formatDuration(after)}
        </span>
      ))}
      {scale.folds.map((fold) => (
        <span
          key={fold.from}
          className={styles['fold']}
          style={{ left: percent(fold.start), width: percent(fold.end - fold.start) }}
          title={`Nothing ran for ${formatDuration(fold.to - fold.from)}`}
        />
      ))}
    </>
  )
}

function Cells({ row, scale }: { readonly row: TimelineRow; readonly scale: TimeScale }): ReactNode {
  const last = row.bars.at(-1)
  return (
    <>
      <span role="gridcell" className={styles['name']} data-task={row.task !== undefined || undefined}>
        <StatusBadge status={row.status} isIconOnly />
        <span className={styles['label']} title={row.label}>
          {showInvisible(row.label)}
        </span>
      </span>
      <span role="gridcell" className={styles['track']} data-critical={row.isCritical || undefined}>
        {scale.folds.map((fold) => (
          <span
            key={fold.from}
            className={styles['fold']}
            style={{ left: percent(fold.start), width: percent(fold.end - fold.start) }}
          />
        ))}
        {row.bars.map((bar) => (
          <TimelineBar key={`${bar.kind} ${bar.attempt}`} bar={bar} scale={scale} isCritical={row.isCritical} />
        ))}
        {last && <Beside bars={row.bars} last={last} scale={scale} isCritical={row.isCritical} />}
      </span>
    </>
  )
}

interface TimelineBarProps {
  readonly bar: Bar
  readonly scale: TimeScale
  readonly isCritical: boolean
}

function TimelineBar({ bar, scale, isCritical }: TimelineBarProps): ReactNode {
  const start = scale.placeOf(bar.from)
  const style: CSSProperties = { left: percent(start), width: percent(scale.placeOf(bar.to) - start) }
  return (
    <span
      className={styles['bar']}
      data-kind={bar.kind}
      data-tone={lookOf(bar.status).tone}
      data-critical={(isCritical && bar.kind === 'running') || undefined}
      style={style}
      title={`${bar.kind === 'running' ? `Attempt ${bar.attempt}: ${bar.status}` : bar.kind}, ${formatDuration(bar.to - bar.from)}`}
    />
  )
}

/** From here on the words stand before the bar, where there is room. */
const LATE = 0.7

/** How long it took, beside the last bar. */
function Beside({
  bars,
  last,
  scale,
  isCritical,
}: {
  readonly bars: readonly Bar[]
  readonly last: Bar
  readonly scale: TimeScale
  readonly isCritical: boolean
}): ReactNode {
  const first = bars[0] ?? last
  const attempts = bars.filter(({ kind }) => kind === 'running').length
  const more = [...(attempts > 1 ? [`${attempts} attempts`] : []), ...(isCritical ? ['critical'] : [])]
  const end = scale.placeOf(last.to)
  const style: CSSProperties = end > LATE ? { right: percent(1 - scale.placeOf(first.from)) } : { left: percent(end) }
  return (
    <span className={styles['beside']} style={style}>
      {formatDuration(last.to - last.from)}
      {more.length > 0 && <span className={styles['more']}> · {more.join(' · ')}</span>}
    </span>
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`
}

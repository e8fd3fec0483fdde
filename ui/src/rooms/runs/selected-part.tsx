import { Button } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { Duration, ForeignText, Instant, PageLink, StatusBadge, showInvisible } from '../../components/index.ts'
import type { Run } from './run.ts'
import type { RunSelection } from './run-address.ts'
import styles from './selected-part.module.css'
import { keyOfPlace, rowOfPlace, rowsOfAttempts, type TaskRow } from './tasks/rows-of-tasks.ts'
import { RunnerName } from './tasks/runner-name.tsx'

interface SelectedPartProps {
  readonly run: Run
  readonly selection: RunSelection
  readonly onSelect: (selection: RunSelection | undefined) => void
}

/** How the selected step, task or attempt stands, and why: the same beside graph, timeline and table. */
export function SelectedPart({ run, selection, onSelect }: SelectedPartProps): ReactNode {
  const row = useMemo(() => rowOfPlace(run, selection), [run, selection])
  if (!row) return null
  return (
    <div className={styles['part']}>
      <StatusBadge status={row.status} />
      <strong>
        {showInvisible(
          keyOfPlace({ step: row.place.step, ...(row.place.task === undefined ? {} : { task: row.place.task }) }),
        )}
      </strong>
      <Attempts run={run} selection={selection} onSelect={onSelect} />
      {row.startedAt !== null && <Duration from={row.startedAt} to={row.finishedAt} />}
      {row.exitCode !== null && <span>exit code {row.exitCode}</span>}
      {row.runnerId !== null && (
        <span>
          on <RunnerName id={row.runnerId} />
        </span>
      )}
      {row.retryAt !== null && (
        <span>
          tried again <Instant at={row.retryAt} />
        </span>
      )}
      <Child row={row} />
      <Button variant="subtle" onClick={() => onSelect(undefined)}>
        Show all of the run
      </Button>
      {row.reason !== null && (
        <p className={styles['reason']}>
          <ForeignText>{row.reason}</ForeignText>
        </p>
      )}
    </div>
  )
}

function Child({ row: { childRunId } }: { readonly row: TaskRow }): ReactNode {
  if (childRunId === null) return null
  return (
    <PageLink to="/runs/$id" params={{ id: childRunId }}>
      its run
    </PageLink>
  )
}

/** The attempts of a task that has several. */
function Attempts({ run, selection, onSelect }: SelectedPartProps): ReactNode {
  const { step, task, attempt } = selection
  const attempts = rowsOfAttempts(run).filter(({ place }) => place.step === step && place.task === task)
  if (attempts.length < 2) return null
  return attempts.map(({ place }) => (
    <Button
      key={place.attempt}
      variant={place.attempt === attempt ? 'filled' : 'default'}
      aria-pressed={place.attempt === attempt}
      onClick={() => onSelect(place)}
    >
      Attempt {place.attempt}
    </Button>
  ))
}

import { type ReactNode, useMemo } from 'react'
import { EmptyState } from '../../components/index.ts'
import type { Run } from './run.ts'
import { keyOfPlace, rowsOfAttempts } from './tasks/rows-of-tasks.ts'
import { TaskCells, TaskHeads } from './tasks/task-cells.tsx'
import { TaskRows } from './tasks/task-rows.tsx'
import styles from './tasks/task-table.module.css'
import { useRunAddress } from './use-run-address.ts'

/** Every attempt of the run, in the order in which they began. */
export function Attempts({ run }: { readonly run: Run }): ReactNode {
  const { selection, select } = useRunAddress()
  const rows = useMemo(() => rowsOfAttempts(run), [run])
  if (rows.length === 0) return <EmptyState title="No attempt yet">A task is tried when a runner takes it.</EmptyState>
  return (
    <TaskRows
      label="Attempts"
      className={`${styles['table']} ${styles['flat']}`}
      rows={rows}
      keyOf={({ place }) => keyOfPlace(place)}
      levelOf={() => 1}
      selected={selection && keyOfPlace(selection)}
      onSelect={({ place }) => select(place)}
      head={<TaskHeads />}
    >
      {(row) => <TaskCells row={row} />}
    </TaskRows>
  )
}

import { type ReactNode, useMemo } from 'react'
import type { Run } from '../run.ts'
import type { RunSelection } from '../run-address.ts'
import { keyOfPlace, rowsOfTasks, selectedKey } from './rows-of-tasks.ts'
import { TaskCells, TaskHeads } from './task-cells.tsx'
import { TaskRows } from './task-rows.tsx'
import styles from './task-table.module.css'

interface TaskTableProps {
  readonly run: Run
  readonly selection: RunSelection | undefined
  readonly onSelect: (selection: RunSelection) => void
}

/** Steps and tasks with their reasons, exit codes, runners and images; several attempts each on a row of its own. */
export function TaskTable({ run, selection, onSelect }: TaskTableProps): ReactNode {
  const rows = useMemo(() => rowsOfTasks(run), [run])
  return (
    <TaskRows
      label="Steps and tasks"
      className={styles['table']}
      rows={rows}
      keyOf={({ place }) => keyOfPlace(place)}
      levelOf={({ level }) => level}
      selected={selectedKey(rows, selection)}
      onSelect={({ place }) => onSelect(place)}
      head={<TaskHeads />}
    >
      {(row) => <TaskCells row={row} />}
    </TaskRows>
  )
}

import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { EmptyState, Section } from '../../components/index.ts'
import { addressOfUnfolded, Graph, unfoldedOf } from '../graph/index.ts'
import { LogView } from '../logs/index.ts'
import type { Run } from './run.ts'
import { type RunSelection, VIEWS, type View } from './run-address.ts'
import { SelectedPart } from './selected-part.tsx'
import { keyOfPlace } from './tasks/rows-of-tasks.ts'
import { TaskTable } from './tasks/task-table.tsx'
import { TimelineView } from './timeline/timeline-view.tsx'
import { useRunAddress } from './use-run-address.ts'
import { Waiting } from './waiting.tsx'
import { WhyItFailed } from './why/why-it-failed.tsx'
import { isFailed } from './why/why-words.ts'

const LABELS: Readonly<Record<View, string>> = { graph: 'Graph', timeline: 'Timeline', table: 'Table' }

/** What the run does: graph, timeline or table, and the log of what is selected there. */
export function Overview({ run }: { readonly run: Run }): ReactNode {
  const { address, selection, show, select } = useRunAddress()
  const view = address.view ?? 'graph'
  if (run.status === 'queued') return <Waiting run={run} />
  return (
    <>
      {isFailed(run.status) && <WhyItFailed runId={run.run_id} />}
      <Section
        title="Steps and tasks"
        actions={
          <SegmentedControl
            size="xs"
            aria-label="View"
            value={view}
            onChange={(value) => show({ view: VIEWS.find((each) => each === value) ?? 'graph' })}
            data={VIEWS.map((each) => ({ value: each, label: LABELS[each] }))}
          />
        }
      >
        {run.steps.length === 0 ? (
          <EmptyState title="No step ran">{run.reason ?? 'The run ended before it began.'}</EmptyState>
        ) : (
          <Tasks view={view} run={run} selection={selection} onSelect={select} />
        )}
      </Section>
      <Section title="Log">
        {selection && <SelectedPart run={run} selection={selection} onSelect={select} />}
        <LogView
          key={selection ? keyOfPlace(selection) : ''}
          runId={run.run_id}
          isOver={run.finished_at !== null}
          selection={selection}
        />
      </Section>
    </>
  )
}

interface TasksProps {
  readonly view: View
  readonly run: Run
  readonly selection: RunSelection | undefined
  readonly onSelect: (selection: RunSelection | undefined) => void
}

function Tasks({ view, run, selection, onSelect }: TasksProps): ReactNode {
  switch (view) {
    case 'graph':
      return <RunGraph run={run} selection={selection} onSelect={onSelect} />
    case 'timeline':
      return <TimelineView run={run} selection={selection} onSelect={onSelect} />
    case 'table':
      return <TaskTable run={run} selection={selection} onSelect={onSelect} />
    default:
      return view satisfies never
  }
}

/** The graph; what is unfolded in it stands in the address. */
function RunGraph({ run, selection, onSelect }: Omit<TasksProps, 'view'>): ReactNode {
  const { address, show } = useRunAddress()
  const { open } = address
  const unfolded = useMemo(() => unfoldedOf({ open }), [open])
  return (
    <Graph
      version={`${run.pipeline_id}@${run.pipeline_version}`}
      steps={run.steps}
      selected={selection}
      unfolded={unfolded}
      onUnfold={(shown) => show(addressOfUnfolded(shown))}
      onSelect={({ step, task }) => onSelect(task === undefined ? { step } : { step, task })}
    />
  )
}

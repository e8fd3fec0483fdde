import { Text } from '@mantine/core'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../client/index.ts'
import {
  type Column,
  countOf,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  RowLink,
  Section,
} from '../../components/index.ts'

type Lease = SuccessOf<typeof dispatchRoutes.listLeases>['leases'][number]

const COLUMNS: readonly Column<Lease>[] = [
  {
    key: 'pipeline',
    header: 'Run',
    isPlain: true,
    cell: ({ run_id, pipeline, step, task }) => (
      <RowLink to="/runs/$id" params={{ id: run_id }} search={{ task: `${step}/${task}` }}>
        {pipeline}
      </RowLink>
    ),
  },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => scope },
  { key: 'step', header: 'Step', cell: ({ step }) => <ForeignText>{step}</ForeignText> },
  { key: 'task', header: 'Task', cell: ({ task }) => <ForeignText>{task}</ForeignText> },
  { key: 'attempt', header: 'Attempt', isNumber: true, cell: ({ attempt }) => attempt },
  { key: 'since', header: 'Since', cell: ({ leased_at }) => <Instant at={leased_at} /> },
]

/** The tasks that a runner has in hand; those of runs that one may not see are counted. */
export function RunnerLeases({ runnerId }: { readonly runnerId: string }): ReactNode {
  const found = useQuery(read(dispatchRoutes.listLeases, { params: { id: runnerId } }))
  useLive(['runners'], [dispatchRoutes.listLeases])
  const hidden = found.data?.hidden ?? 0
  const unseen = `${countOf(hidden, 'task')} of runs that you may not see.`
  return (
    <Section title="In hand">
      <DataList
        label="In hand"
        columns={COLUMNS}
        items={found.data?.leases}
        keyOf={({ run_id, step, task, attempt }) => [run_id, step, task, attempt].join(' ')}
        error={found.error}
        onRetry={() => void found.refetch()}
        empty={
          <EmptyState title={hidden === 0 ? 'Nothing in hand' : unseen}>
            A task appears here as soon as the runner gets it.
          </EmptyState>
        }
      />
      {hidden > 0 && found.data?.leases.length !== 0 && <Text size="sm">And {unseen}</Text>}
    </Section>
  )
}

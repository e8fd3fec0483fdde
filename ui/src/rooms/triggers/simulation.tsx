import { Text } from '@mantine/core'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { simulationRoutes } from '@signalbox/contracts/triggers/routes'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  ProblemNotice,
  RowLink,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import type { TriggerDocument } from './trigger.ts'

type Outcome = SuccessOf<typeof simulationRoutes.simulateTrigger>['results'][number]

/** What the trigger, as it stands in the form, would have started of the latest deliveries. Nothing starts. */
export function Simulation({ document }: { readonly document: TriggerDocument }): ReactNode {
  const simulation = useMutation({
    mutationFn: () => call(simulationRoutes.simulateTrigger, { body: { trigger: document, limit: 50 } }),
  })
  const { data } = simulation
  const matched = data?.results.filter((result) => result.matched).length
  return (
    <Section
      title="What would it have started?"
      actions={
        <AllowedButton
          variant="default"
          permission="trigger.write"
          at={document.team_path === '' ? undefined : document.team_path}
          loading={simulation.isPending}
          onClick={() => simulation.mutate()}
        >
          Try it on past deliveries
        </AllowedButton>
      }
    >
      <ProblemNotice error={simulation.error} />
      {data && (
        <>
          <Text size="sm" aria-live="polite">
            {matched} of {data.deliveries_considered} deliveries would have started a run.
          </Text>
          <DataList
            label="Past deliveries"
            columns={COLUMNS}
            items={data.results}
            keyOf={({ delivery_id, event_kind, ref }) => `${delivery_id} ${event_kind} ${ref ?? ''}`}
            empty={
              <EmptyState title="No delivery of these repositories is kept">
                Deliveries are kept for some days. Widen the repositories, or wait for the next one.
              </EmptyState>
            }
          />
        </>
      )}
    </Section>
  )
}

const COLUMNS: readonly Column<Outcome>[] = [
  {
    key: 'outcome',
    header: 'Outcome',
    isPlain: true,
    cell: ({ trace }) => <StatusBadge status={trace.outcome} />,
  },
  {
    key: 'event',
    header: 'Event',
    isPlain: true,
    cell: ({ delivery_id, source_id, event_kind, action }) => (
      <RowLink to="/sources/$id/deliveries/$delivery" params={{ id: source_id, delivery: delivery_id }}>
        <ForeignText>{`${event_kind} ${action}`.trim()}</ForeignText>
      </RowLink>
    ),
  },
  { key: 'repository', header: 'Repository', cell: ({ repository }) => <ForeignText>{repository}</ForeignText> },
  { key: 'ref', header: 'Ref', cell: ({ ref }) => <ForeignText>{ref}</ForeignText> },
  {
    key: 'why',
    header: 'Why not',
    cell: ({ trace }) => {
      const failed = trace.conditions.find(({ condition }) => condition === trace.first_failed)
      if (!failed) return <ForeignText>{trace.reason}</ForeignText>
      return (
        <ForeignText>{`${failed.condition}: expected ${failed.expected}, seen ${failed.seen ?? 'nothing'}`}</ForeignText>
      )
    },
  },
  { key: 'received', header: 'Received', cell: ({ received_at }) => <Instant at={received_at} /> },
]

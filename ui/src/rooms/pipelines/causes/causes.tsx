import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, readPages } from '../../../client/index.ts'
import { useMayDo } from '../../../client/session.ts'
import {
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  ProblemNotice,
  RowLink,
  Section,
} from '../../../components/index.ts'
import type { Pipeline } from '../pipeline.ts'
import { ofExternalTrigger, ofSchedule, ofTrigger, type Starter } from './starters.ts'

/** The most that one answer of the API holds. */
const MOST = 500

/** The triggers, schedules and external triggers that start a pipeline, as far as one may see them. */
export function Causes({ pipeline: { identifier, team_path: team } }: { readonly pipeline: Pipeline }): ReactNode {
  const mayDo = useMayDo()
  const triggers = useInfiniteQuery({
    ...readPages(triggerRoutes.listTriggers, { query: { limit: MOST } }),
    enabled: mayDo('trigger.read', team),
  })
  const schedules = useInfiniteQuery({
    ...readPages(scheduleRoutes.listSchedules, { query: { limit: MOST } }),
    enabled: mayDo('schedule.read', team),
  })
  const external = useInfiniteQuery({
    ...readPages(externalTriggerRoutes.listExternalTriggers, { query: { limit: MOST } }),
    enabled: mayDo('external_trigger.read', team),
  })
  const reads = [triggers, schedules, external]
  const isOfThis = ({ pipeline }: { readonly pipeline: string }): boolean => pipeline === identifier
  const starters = [
    ...itemsOf(triggers.data).filter(isOfThis).map(ofTrigger),
    ...itemsOf(schedules.data).filter(isOfThis).map(ofSchedule),
    ...itemsOf(external.data).filter(isOfThis).map(ofExternalTrigger),
  ]
  return (
    <Section title="What starts it">
      {reads.map(({ error, refetch }, index) => (
        // The three reads never change their order.
        <ProblemNotice key={index} error={error} onRetry={() => void refetch()} />
      ))}
      <DataList
        label="What starts it"
        columns={COLUMNS}
        items={reads.some(({ isLoading }) => isLoading) ? undefined : starters}
        keyOf={({ id }) => id}
        hasMore={reads.some(({ hasNextPage }) => hasNextPage)}
        isReadingMore={reads.some(({ isFetchingNextPage }) => isFetchingNextPage)}
        onMore={() => {
          for (const { hasNextPage, fetchNextPage } of reads) if (hasNextPage) void fetchNextPage()
        }}
        empty={
          <EmptyState title="Only people start it" command="signalbox trigger apply trigger.json">
            No trigger, schedule or external trigger that you may see names it.
          </EmptyState>
        }
      />
    </Section>
  )
}

const COLUMNS: readonly Column<Starter>[] = [
  { key: 'kind', header: 'Kind', isPlain: true, cell: ({ kind }) => kind },
  { key: 'name', header: 'Name', isPlain: true, cell: (starter) => <StarterName starter={starter} /> },
  { key: 'when', header: 'When', isPlain: true, cell: ({ when }) => <ForeignText>{when}</ForeignText> },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => scope },
  { key: 'next', header: 'Next', cell: ({ next }) => next && <Instant at={next} /> },
  { key: 'state', header: 'State', isPlain: true, cell: ({ isEnabled }) => (isEnabled ? 'enabled' : 'disabled') },
]

function StarterName({ starter: { id, kind, name } }: { readonly starter: Starter }): ReactNode {
  if (kind === 'external trigger') return name
  return (
    <RowLink to={kind === 'trigger' ? '/triggers/$id' : '/schedules/$id'} params={{ id }}>
      {name}
    </RowLink>
  )
}

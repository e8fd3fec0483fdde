import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../../client/index.ts'
import {
  DataList,
  Duration,
  EmptyState,
  ForeignText,
  Instant,
  RowLink,
  Section,
  StatusBadge,
} from '../../../components/index.ts'
import type { Run } from '../run.ts'

/** The runs of the same pipeline, to compare one with. */
export function ChooseOther({ run }: { readonly run: Run }): ReactNode {
  const runs = useInfiniteQuery(readPages(runRoutes.listRuns, { query: { pipeline: run.pipeline_id } }))
  const items = runs.data && itemsOf(runs.data).filter(({ run_id: id }) => id !== run.run_id)
  return (
    <Section title="With which run?">
      <DataList
        label={`Runs of ${run.pipeline}`}
        items={items}
        keyOf={({ run_id: id }) => id}
        {...moreOf(runs)}
        columns={[
          { key: 'status', header: 'Status', isPlain: true, cell: ({ status }) => <StatusBadge status={status} /> },
          {
            key: 'queued',
            header: 'Queued',
            isPlain: true,
            cell: ({ run_id: other, queued_at: at }) => (
              <RowLink to="/runs/$id/compare" params={{ id: run.run_id }} search={{ other }}>
                <Instant at={at} />
              </RowLink>
            ),
          },
          { key: 'version', header: 'Version', isNumber: true, cell: (each) => each.pipeline_version },
          { key: 'branch', header: 'Branch', cell: (each) => <ForeignText>{each.branch ?? each.tag}</ForeignText> },
          {
            key: 'took',
            header: 'Took',
            isNumber: true,
            cell: (each) => <Duration from={each.started_at} to={each.finished_at} />,
          },
        ]}
        empty={
          <EmptyState title="There is no other run">
            This is the only run of {run.pipeline} that you may see.
          </EmptyState>
        }
      />
    </Section>
  )
}

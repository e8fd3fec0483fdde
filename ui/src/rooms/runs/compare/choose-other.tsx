import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, readPages } from '../../../client/index.ts'
import {
  DataList,
  Duration,
  EmptyState,
  ForeignText,
  FormRow,
  Instant,
  RowLink,
  Section,
  StatusBadge,
} from '../../../components/index.ts'
import { PipelineField } from '../../../components/pipeline-field.tsx'
import type { Run } from '../run.ts'

/** The runs of the same pipeline to compare one with, or of another; or any run by its id. */
export function ChooseOther({ run }: { readonly run: Run }): ReactNode {
  const navigate = useNavigate()
  const [pipeline, setPipeline] = useState(run.pipeline)
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(pipeline.trim(), 300)
  const query = { pipeline: asked === run.pipeline ? run.pipeline_id : asked }
  const runs = useInfiniteQuery({ ...readPages(runRoutes.listRuns, { query }), enabled: asked !== '' })
  const items = runs.data && itemsOf(runs.data).filter(({ run_id: id }) => id !== run.run_id)
  return (
    <Section title="With which run?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const other = typed.trim()
          if (other !== '') void navigate({ to: '/runs/$id/compare', params: { id: run.run_id }, search: { other } })
        }}
      >
        <FormRow>
          <PipelineField value={pipeline} error={undefined} onChange={setPipeline} />
          <TextInput
            label="Or a run by its id"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" variant="default" size="sm">
            Compare
          </Button>
        </FormRow>
      </form>
      <DataList
        label={`Runs of ${asked}`}
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
        empty={<EmptyState title="There is no other run">There is none of {asked} that you may see.</EmptyState>}
      />
    </Section>
  )
}

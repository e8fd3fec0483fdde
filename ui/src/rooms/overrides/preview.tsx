import { Text } from '@mantine/core'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { resolutionRoutes } from '@signalbox/contracts/overrides/routes'
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
  Section,
} from '../../components/index.ts'

type Change = SuccessOf<typeof resolutionRoutes.previewOverride>['changes'][number]

interface PreviewProps {
  readonly repository: { readonly repoOwner: string; readonly repoName: string }
  readonly pipeline: string
  readonly scope: string
  /** The team of the override; undefined: not known yet. */
  readonly at: string | undefined
}

/** What the latest deliveries would have started with the override as it stands in the form. Nothing starts. */
export function Preview({ repository, pipeline, scope, at }: PreviewProps): ReactNode {
  const preview = useMutation({
    mutationFn: () =>
      call(resolutionRoutes.previewOverride, {
        body: {
          repo_owner: repository.repoOwner,
          repo_name: repository.repoName,
          pipeline,
          ...(scope === '' ? {} : { scope }),
        },
      }),
  })
  const { data } = preview
  return (
    <Section
      title="What would have been different?"
      actions={
        <AllowedButton
          variant="default"
          permission="override.write"
          at={at}
          obstacle={pipeline === '' ? 'Name a pipeline above.' : undefined}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          Try it on past deliveries
        </AllowedButton>
      }
    >
      <ProblemNotice error={preview.error} />
      {!data && !preview.error && (
        <Text size="sm" c="dimmed">
          Name a pipeline above, then compare it with what the last 50 deliveries started.
        </Text>
      )}
      {data && (
        <>
          <Text size="sm" aria-live="polite" mb="sm">
            {data.changes.length} of {data.deliveries_considered} deliveries would have started something else.{' '}
            <ForeignText>{data.not_in_effect_because}</ForeignText>
          </Text>
          <DataList
            label="Deliveries that would have started something else"
            columns={COLUMNS}
            items={data.changes}
            keyOf={({ delivery_id, kind, ref }) => `${delivery_id} ${kind} ${ref ?? ''}`}
            empty={
              <EmptyState title="Nothing would have been different">
                Each kept delivery of the repository would have started the same, or there is none.
              </EmptyState>
            }
          />
        </>
      )}
    </Section>
  )
}

const COLUMNS: readonly Column<Change>[] = [
  { key: 'event', header: 'Event', isPlain: true, cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { key: 'ref', header: 'Ref', cell: ({ ref }) => <ForeignText>{ref}</ForeignText> },
  { key: 'before', header: 'Before', cell: ({ before }) => <Runs runs={before} /> },
  { key: 'after', header: 'After', cell: ({ after }) => <Runs runs={after} /> },
  { key: 'received', header: 'Received', cell: ({ received_at }) => <Instant at={received_at} /> },
]

function Runs({ runs }: { readonly runs: Change['before'] }): ReactNode {
  if (runs.length === 0) return 'nothing'
  return <ForeignText>{runs.map(({ pipeline, scope }) => `${pipeline} in ${scope}`).join(', ')}</ForeignText>
}

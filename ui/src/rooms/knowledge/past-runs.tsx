import { Button, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { trialRoutes } from '@signalbox/contracts/trials/routes'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../client/index.ts'
import {
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  FormRow,
  fieldError,
  Instant,
  ProblemNotice,
  RowLink,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import type { KnowledgeContent, KnowledgeItem, TriedRun } from './item.ts'
import { changeOf, lookOfVerdict, NARROWINGS, type Narrowing, placeOfRun, sentenceOf } from './trial.ts'

interface PastRunsProps {
  readonly item: KnowledgeItem
  /** What stands in the form, where it was changed. */
  readonly draft: KnowledgeContent | undefined
}

/** What the item, as it stands in the form, would have made of past runs. Nothing is stored, nothing starts. */
export function PastRuns({ item, draft }: PastRunsProps): ReactNode {
  const [by, setBy] = useState<Narrowing>('team_path')
  const [of, setOf] = useState(item.team_path)
  const [limit, setLimit] = useState<number | string>(50)
  const { team_path, name, kind } = item
  const what = draft === undefined ? { item: item.id } : { draft: { team_path, name, kind, ...draft } }
  const wish = { ...what, [by]: of, limit: Number(limit) }
  const trial = useMutation({
    mutationFn: (body: typeof wish) => call(trialRoutes.tryKnowledgeItem, { body }),
  })
  const { data, error } = trial
  return (
    <Section title="What would it have made of past runs?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          trial.mutate(wish)
        }}
      >
        <FormRow>
          <Select
            label="Runs of"
            allowDeselect={false}
            data={[...NARROWINGS]}
            value={by}
            onChange={(chosen) => setBy(NARROWINGS.find(({ value }) => value === chosen)?.value ?? by)}
          />
          <TextInput
            label="Which"
            required
            value={of}
            error={fieldError(error, by)}
            onChange={({ currentTarget }) => setOf(currentTarget.value)}
          />
          <NumberInput label="The newest" min={1} max={200} required value={limit} onChange={setLimit} />
          <Button type="submit" variant="default" size="sm" loading={trial.isPending}>
            {draft === undefined ? 'Try it on past runs' : 'Try the draft on past runs'}
          </Button>
        </FormRow>
      </form>
      <ProblemNotice error={error} marked={[by]} />
      {data && (
        <>
          <Text my="sm" component="output" display="block">
            {sentenceOf(data)}
          </Text>
          {JSON.stringify(trial.variables) !== JSON.stringify(wish) && (
            <Text size="sm" role="note">
              The form has changed since: try it again.
            </Text>
          )}
          {data.stopped_early !== null && (
            <Text size="sm" c="dimmed">
              {data.stopped_early}
            </Text>
          )}
          <DataList
            label="Past runs"
            columns={COLUMNS}
            items={data.runs}
            keyOf={({ run_id }) => run_id}
            empty={<EmptyState title="No such run that you may read">Name another team, pipeline or scope.</EmptyState>}
          />
        </>
      )}
    </Section>
  )
}

const COLUMNS: readonly Column<TriedRun>[] = [
  {
    key: 'verdict',
    header: 'The item',
    isPlain: true,
    cell: ({ verdict }) => <StatusBadge status={lookOfVerdict(verdict)} />,
  },
  {
    key: 'run',
    header: 'Run',
    isPlain: true,
    cell: ({ run_id, pipeline }) => (
      <RowLink to="/runs/$id" params={{ id: run_id }}>
        {pipeline}
      </RowLink>
    ),
  },
  { key: 'status', header: 'The run', cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'differs', header: 'Would differ', cell: changeOf },
  { key: 'where', header: 'Where', cell: (run) => <ForeignText>{placeOfRun(run)}</ForeignText> },
  {
    key: 'why',
    header: 'Why',
    cell: ({ violation, unknown }) => <ForeignText>{[violation ?? '', ...unknown].join(' ').trim()}</ForeignText>,
  },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => scope },
  { key: 'queued', header: 'Queued', cell: ({ queued_at }) => <Instant at={queued_at} /> },
]

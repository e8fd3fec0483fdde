import { Button, NumberInput, Select, Text, TextInput, VisuallyHidden } from '@mantine/core'
import type { BodyOf } from '@signalbox/contracts/http/requests'
import { MOST_TRIED_RUNS } from '@signalbox/contracts/trials/limits'
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
import type { TriedRun } from './item.ts'
import { boundNewest, changeOf, lookOfVerdict, NARROWINGS, placeOfRun, sentenceOf, type WantedRuns } from './trial.ts'

interface PastRunsProps {
  /** The item as it is saved, or what stands in the form. */
  readonly subject: Pick<BodyOf<typeof trialRoutes.tryKnowledgeItem>, 'item' | 'draft'>
  /** What the form begins with. */
  readonly asked: WantedRuns
  /** Told what somebody tries it on. An owner who hears it, and then asks for something else, overrules what was typed. */
  readonly onTry?: (runs: WantedRuns) => void
}

/** What an item, saved or as it stands in a form, would have made of past runs. Nothing is stored, nothing starts. */
export function PastRuns({ subject, asked, onTry }: PastRunsProps): ReactNode {
  const [runs, setRuns] = useTyped(asked, onTry !== undefined)
  const { by, of, newest } = runs
  const wish = { ...subject, [by]: of, limit: boundNewest(newest) }
  const trial = useMutation({
    mutationFn: (body: typeof wish) => call(trialRoutes.tryKnowledgeItem, { body }),
  })
  const { data, error } = trial
  return (
    <Section title="What would it have made of past runs?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const bounded = { ...runs, newest: wish.limit }
          setRuns(bounded)
          trial.mutate(wish)
          onTry?.(bounded)
        }}
      >
        <FormRow>
          <Select
            label="Runs of"
            allowDeselect={false}
            data={[...NARROWINGS]}
            value={by}
            onChange={(chosen) =>
              setRuns({ ...runs, by: NARROWINGS.find(({ value }) => value === chosen)?.value ?? by })
            }
          />
          <TextInput
            label="Which"
            required
            value={of}
            error={fieldError(error, by)}
            onChange={({ currentTarget }) => setRuns({ ...runs, of: currentTarget.value })}
          />
          <NumberInput
            label="The newest"
            min={1}
            max={MOST_TRIED_RUNS}
            allowDecimal={false}
            required
            value={newest}
            onChange={(count) => setRuns({ ...runs, newest: count })}
          />
          <Button type="submit" variant="default" size="sm" loading={trial.isPending}>
            {subject.draft === undefined ? 'Try it on past runs' : 'Try the draft on past runs'}
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
            columns={subject.draft === undefined ? COLUMNS : COLUMNS_BESIDE_DRAFT}
            items={data.runs}
            keyOf={({ run_id }) => run_id}
            empty={<EmptyState title="No such run that you may read">Name another team, pipeline or scope.</EmptyState>}
          />
        </>
      )}
    </Section>
  )
}

/** What was typed, else the beginning. `isOverruled`: another beginning, such as a pasted address, takes its place. */
function useTyped(asked: WantedRuns, isOverruled: boolean): readonly [WantedRuns, (runs: WantedRuns) => void] {
  const [followed, setFollowed] = useState(asked)
  const [typed, setTyped] = useState<WantedRuns>()
  if (JSON.stringify(followed) !== JSON.stringify(asked)) {
    setFollowed(asked)
    if (isOverruled) setTyped(undefined)
  }
  return [typed ?? asked, setTyped]
}

const VERDICT: Column<TriedRun> = {
  key: 'verdict',
  header: 'The item',
  isPlain: true,
  cell: ({ verdict }) => <StatusBadge status={lookOfVerdict(verdict)} />,
}
const RUN: Column<TriedRun> = {
  key: 'run',
  header: 'Run',
  isPlain: true,
  cell: ({ run_id, pipeline }) => (
    <RowLink to="/runs/$id" params={{ id: run_id }}>
      {pipeline}
    </RowLink>
  ),
}
/** Whoever looks at a run comes back to what they typed. */
const RUN_IN_NEW_TAB: Column<TriedRun> = {
  ...RUN,
  cell: ({ run_id, pipeline }) => (
    <RowLink to="/runs/$id" params={{ id: run_id }} target="_blank" rel="noopener">
      {pipeline}
      <VisuallyHidden> (in a new tab)</VisuallyHidden>
    </RowLink>
  ),
}
const FACTS: readonly Column<TriedRun>[] = [
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
const COLUMNS = [VERDICT, RUN, ...FACTS]
const COLUMNS_BESIDE_DRAFT = [VERDICT, RUN_IN_NEW_TAB, ...FACTS]

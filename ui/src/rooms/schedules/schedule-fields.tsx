import { SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { AssignmentsField } from '../../components/assignments-field.tsx'
import { BranchField } from '../../components/branch-field.tsx'
import { fieldError, TeamSelect } from '../../components/index.ts'
import { PipelineField } from '../../components/pipeline-field.tsx'
import { ScopeField } from '../../components/scope-field.tsx'
import type { ScheduleDraft } from './schedule.ts'

interface ScheduleFieldsProps {
  readonly draft: ScheduleDraft
  readonly onChange: (draft: ScheduleDraft) => void
  readonly error: Error | null
}

/** The fields that the form marks itself. */
export const SCHEDULE_FIELDS = [
  'path',
  'name',
  'pipeline',
  'scope',
  'cron_expression',
  'run_at',
  'timezone',
  'spread',
  'exclude_dates',
  'variables',
  'repository',
  'ref',
]

const OVERLAPS = {
  allow: 'Start it beside the other',
  skip: 'Leave the instant out',
  queue_one: 'Let one wait',
  cancel_running: 'Cancel the other',
} as const

const MISFIRES = { skip: 'None of them fires', last: 'The last one fires', all: 'All of them fire' } as const
const DST = { once: 'Once', skip: 'Not at all', both: 'Both times' } as const
const ZONES = Intl.supportedValuesOf('timeZone')

/** When a schedule fires, and what it starts. */
export function ScheduleFields({ draft, onChange, error }: ScheduleFieldsProps): ReactNode {
  const set = (change: Partial<ScheduleDraft>): void => onChange({ ...draft, ...change })
  const text = (field: 'name' | 'repository' | 'spread') => ({
    value: draft[field],
    error: fieldError(error, field),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      set({ [field]: currentTarget.value }),
  })
  return (
    <>
      <TeamSelect value={draft.path} onChange={(path) => set({ path })} error={fieldError(error, 'path')} />
      <TextInput label="Name" required placeholder="nightly" {...text('name')} />
      <PipelineField
        value={draft.pipeline}
        error={fieldError(error, 'pipeline')}
        onChange={(pipeline) => set({ pipeline })}
      />
      <ScopeField
        teamPath={draft.path}
        value={draft.scope}
        error={fieldError(error, 'scope')}
        onChange={(scope) => set({ scope })}
      />
      <SegmentedControl
        aria-label="Kind"
        size="xs"
        data={[
          { value: 'recurring', label: 'Again and again' },
          { value: 'one_time', label: 'Once' },
        ]}
        value={draft.kind}
        onChange={(kind) => set({ kind: kind === 'one_time' ? 'one_time' : 'recurring' })}
      />
      {draft.kind === 'recurring' ? (
        <TextInput
          label="Expression"
          description="Five fields of cron, or six with seconds first; names, @daily, L, # and H are understood."
          required
          value={draft.cron}
          error={fieldError(error, 'cron_expression')}
          onChange={({ currentTarget }) => set({ cron: currentTarget.value })}
        />
      ) : (
        <TextInput
          label="Instant"
          description="RFC 3339. Without an offset it is local time of the zone."
          required
          placeholder="2026-12-24T18:00"
          value={draft.runAt}
          error={fieldError(error, 'run_at')}
          onChange={({ currentTarget }) => set({ runAt: currentTarget.value })}
        />
      )}
      <Select
        label="Time zone"
        searchable
        allowDeselect={false}
        limit={50}
        data={[...new Set(['UTC', draft.timezone, ...ZONES])]}
        value={draft.timezone}
        error={fieldError(error, 'timezone')}
        onChange={(timezone) => set({ timezone: timezone ?? 'UTC' })}
      />
      <TextInput label="Spread" description="Such as 15m: it fires that late at most." {...text('spread')} />
      <TagsInput
        label="Days on which it does not fire"
        description="2026-12-25, or 2026-12-24/2027-01-01. Enter adds one."
        value={[...draft.excludeDates]}
        error={fieldError(error, 'exclude_dates')}
        onChange={(excludeDates) => set({ excludeDates })}
      />
      <Choice
        label="While an earlier run has not finished"
        words={OVERLAPS}
        value={draft.overlap}
        onChange={(overlap) => set({ overlap })}
      />
      <Choice
        label="Instants that were missed"
        words={MISFIRES}
        value={draft.misfire}
        onChange={(misfire) => set({ misfire })}
      />
      <Choice
        label="A local time that the clock repeats fires"
        words={DST}
        value={draft.dst}
        onChange={(dst) => set({ dst })}
      />
      <AssignmentsField
        label="Variables"
        value={draft.variables}
        error={fieldError(error, 'variables')}
        onChange={(variables) => set({ variables })}
      />
      <TextInput label="Repository" description="owner/name that its tasks check out." {...text('repository')} />
      <BranchField
        repository={draft.repository}
        value={draft.ref}
        error={fieldError(error, 'ref')}
        onChange={(ref) => set({ ref })}
      />
    </>
  )
}

interface ChoiceProps<Word extends string> {
  readonly label: string
  readonly words: Readonly<Record<Word, string>>
  readonly value: Word
  readonly onChange: (word: Word) => void
}

function Choice<Word extends string>({ label, words, value, onChange }: ChoiceProps<Word>): ReactNode {
  const isWord = (text: string | null): text is Word => text !== null && text in words
  return (
    <Select
      label={label}
      allowDeselect={false}
      data={Object.entries<string>(words).map(([word, sentence]) => ({ value: word, label: sentence }))}
      value={value}
      onChange={(chosen) => {
        if (isWord(chosen)) onChange(chosen)
      }}
    />
  )
}

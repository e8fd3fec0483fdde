import { Checkbox, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { ACTIONS_OF, EVENT_KINDS } from '@signalbox/contracts/event/words'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, readAll } from '../../client/index.ts'
import { AssignmentsField } from '../../components/assignments-field.tsx'
import { fieldError, showInvisible, TeamSelect } from '../../components/index.ts'
import { PipelineField } from '../../components/pipeline-field.tsx'
import { ScopeField } from '../../components/scope-field.tsx'
import { useBranches } from '../../components/use-branches.ts'
import type { TriggerDraft } from './trigger.ts'

interface TriggerFieldsProps {
  readonly draft: TriggerDraft
  readonly onChange: (draft: TriggerDraft) => void
  readonly error: Error | null
}

/** The fields that the form marks itself. */
export const TRIGGER_FIELDS = [
  'name',
  'team_path',
  'source_id',
  'repositories',
  'events',
  'branches',
  'tags',
  'paths',
  'labels',
  'actions',
  'draft',
  'commands',
  'commenters',
  'report_comment',
  'concurrency',
  'if',
  'pipeline',
  'scope',
  'variables',
]

const LISTS = [
  ['branches', 'Branches', 'Empty: all of them, or none where tags are given.'],
  ['tags', 'Tags', 'Empty: all of them, or none where branches are given.'],
  ['paths', 'Changed files', 'Empty: whatever changed.'],
  ['labels', 'Labels', 'Of the pull request. Empty: whatever it has.'],
  ['actions', 'Actions', 'Empty: those that usually mean new code.'],
  ['commands', 'Commands', 'Of comments on pull requests, such as /retest. Empty: whatever the comment says.'],
  ['commenters', 'Commenters', 'Logins, @members or @author. Empty: anybody; with commands, members only.'],
] as const

const DRAFTS: { value: TriggerDraft['drafts']; label: string }[] = [
  { value: 'any', label: 'Start it like others' },
  { value: 'exclude', label: 'Start nothing' },
  { value: 'only', label: 'Alone start it' },
]
const CONFLICTS: { value: TriggerDraft['onConflict']; label: string }[] = [
  { value: 'queue', label: 'It waits for the other' },
  { value: 'cancel_running', label: 'It ends the other' },
  { value: 'skip', label: 'It is left out' },
]

/** What a trigger listens to, and what it starts. */
export function TriggerFields({ draft, onChange, error }: TriggerFieldsProps): ReactNode {
  const set = (change: Partial<TriggerDraft>): void => onChange({ ...draft, ...change })
  const [isTyping, setTyping] = useState(false)
  // The provider is asked once somebody types a branch.
  const branches = useBranches(isTyping ? draft.repositories : [])
  const actions = [...new Set(draft.events.flatMap((kind) => ACTIONS_OF[kind]))]
  const sources = useQuery({
    ...readAll(sourceRoutes.listSources, { query: { limit: 500 } }),
    retry: false,
  })
  return (
    <>
      <TextInput
        label="Name"
        required
        value={draft.name}
        error={fieldError(error, 'name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <TeamSelect
        value={draft.teamPath}
        onChange={(teamPath) => set({ teamPath })}
        error={fieldError(error, 'team_path')}
      />
      <Select
        label="Source"
        description="Empty: every source that you may see, and posted events."
        clearable
        searchable
        data={itemsOf(sources.data).map(({ id, name }) => ({ value: id, label: showInvisible(name) }))}
        value={draft.sourceId}
        error={fieldError(error, 'source_id')}
        onChange={(sourceId) => set({ sourceId })}
      />
      <TagsInput
        label="Repositories"
        required={draft.repositories.length === 0}
        description="owner/repository patterns; ! excludes. Enter adds one."
        data={offered(itemsOf(sources.data), draft.sourceId)}
        value={[...draft.repositories]}
        error={fieldError(error, 'repositories')}
        onChange={(repositories) => set({ repositories })}
      />
      <MultiSelect
        label="Events"
        data={EVENT_KINDS.map((kind) => ({ value: kind, label: kind.replaceAll('_', ' ') }))}
        value={[...draft.events]}
        error={fieldError(error, 'events')}
        onChange={(chosen) => set({ events: EVENT_KINDS.filter((kind) => chosen.includes(kind)) })}
      />
      {LISTS.map(([field, label, description]) => (
        <TagsInput
          key={field}
          label={label}
          description={description}
          data={field === 'branches' ? [...branches] : field === 'actions' ? actions : []}
          {...(field === 'branches' ? { onSearchChange: (text: string) => text !== '' && setTyping(true) } : {})}
          value={[...draft[field]]}
          error={fieldError(error, field)}
          onChange={(values) => set({ [field]: values })}
        />
      ))}
      <Select
        label="Pull requests that are drafts"
        allowDeselect={false}
        data={DRAFTS}
        value={draft.drafts}
        error={fieldError(error, 'draft')}
        onChange={(drafts) => drafts !== null && set({ drafts })}
      />
      <Checkbox
        label="A push whose message says [skip ci] starts nothing"
        checked={draft.skipsCi}
        onChange={({ currentTarget }) => set({ skipsCi: currentTarget.checked })}
      />
      <Checkbox
        label="The pull request gets a comment with what became of it"
        description="One comment of the source, kept up to date. It needs a source that may write at the provider."
        checked={draft.reportsComment}
        error={fieldError(error, 'report_comment')}
        onChange={({ currentTarget }) => set({ reportsComment: currentTarget.checked })}
      />
      <TextInput
        label="Condition"
        description="CEL over the event, such as event.sender != &quot;renovate[bot]&quot;. Empty: none."
        value={draft.condition}
        error={fieldError(error, 'if')}
        onChange={({ currentTarget }) => set({ condition: currentTarget.value })}
      />
      <PipelineField
        value={draft.pipeline}
        error={fieldError(error, 'pipeline')}
        onChange={(pipeline) => set({ pipeline })}
      />
      <ScopeField
        teamPath={draft.teamPath}
        value={draft.scope}
        error={fieldError(error, 'scope')}
        onChange={(scope) => set({ scope })}
        isRequired
      />
      <AssignmentsField
        label="Variables"
        description="${{ event.branch }} is replaced by the value of the event."
        value={draft.variables}
        error={fieldError(error, 'variables')}
        onChange={(variables) => set({ variables })}
      />
      <TextInput
        label="Concurrency group"
        description="Runs of equal text are of one group; ${{ event.branch }} is replaced. Empty: none."
        value={draft.group}
        error={fieldError(error, 'concurrency')}
        onChange={({ currentTarget }) => set({ group: currentTarget.value })}
      />
      {draft.group !== '' && (
        <Select
          label="A new run while another of the group has not ended"
          allowDeselect={false}
          data={CONFLICTS}
          value={draft.onConflict}
          onChange={(onConflict) => onConflict !== null && set({ onConflict })}
        />
      )}
      <Checkbox
        label="Enabled"
        checked={draft.enabled}
        onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
      />
    </>
  )
}

/** What the sources let in, as patterns: of the chosen one, or of all. */
function offered(
  sources: readonly { readonly id: string; readonly repository_allowlist: readonly string[] }[],
  chosen: string | null,
): string[] {
  const shown = sources.filter(({ id }) => chosen === null || id === chosen)
  return [...new Set(shown.flatMap(({ repository_allowlist }) => repository_allowlist))]
}

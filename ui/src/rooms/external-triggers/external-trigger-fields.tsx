import { Checkbox, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { AssignmentsField } from '../../components/assignments-field.tsx'
import { fieldError, TeamSelect, useTeamPaths } from '../../components/index.ts'
import { PipelineField, teamOfPipeline } from '../../components/pipeline-field.tsx'
import { ScopeField } from '../../components/scope-field.tsx'
import type { ExternalTriggerDraft } from './external-trigger.ts'

interface ExternalTriggerFieldsProps {
  readonly draft: ExternalTriggerDraft
  readonly onChange: (draft: ExternalTriggerDraft) => void
  readonly error: Error | null
}

/** The fields that the form marks itself. */
export const EXTERNAL_TRIGGER_FIELDS = [
  'team_path',
  'name',
  'pipeline',
  'scope',
  'variables',
  'allowed_variables',
  'run_team_path',
  'rate_limit.per_minute',
]

/** What an external trigger starts, and what its sender may say. */
export function ExternalTriggerFields({ draft, onChange, error }: ExternalTriggerFieldsProps): ReactNode {
  const set = (change: Partial<ExternalTriggerDraft>): void => onChange({ ...draft, ...change })
  return (
    <>
      <TeamSelect
        value={draft.teamPath}
        onChange={(teamPath) => set({ teamPath })}
        error={fieldError(error, 'team_path')}
      />
      <TextInput
        label="Name"
        required
        placeholder="deploy"
        value={draft.name}
        error={fieldError(error, 'name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <PipelineField
        value={draft.pipeline}
        error={fieldError(error, 'pipeline')}
        onChange={(pipeline) => set({ pipeline })}
      />
      <ScopeField
        teamPath={teamOfPipeline(draft.pipeline)}
        value={draft.scope}
        error={fieldError(error, 'scope')}
        onChange={(scope) => set({ scope })}
      />
      <AssignmentsField
        label="Variables"
        description="What each run starts with."
        value={draft.variables}
        error={fieldError(error, 'variables')}
        onChange={(variables) => set({ variables })}
      />
      <TagsInput
        label="Variables that a sender may set"
        description="Names that the pipeline declares. Empty: none. Enter adds one."
        value={[...draft.allowedVariables]}
        error={fieldError(error, 'allowed_variables')}
        onChange={(allowedVariables) => set({ allowedVariables })}
      />
      <Select
        label="Team that hears of its runs"
        description="Empty: that of the pipeline."
        clearable
        searchable
        data={[...useTeamPaths()]}
        value={draft.runTeamPath === '' ? null : draft.runTeamPath}
        error={fieldError(error, 'run_team_path')}
        onChange={(team) => set({ runTeamPath: team ?? '' })}
      />
      <NumberInput
        label="Fires a minute, at most"
        required
        min={1}
        max={10_000}
        allowDecimal={false}
        value={draft.perMinute}
        error={fieldError(error, 'rate_limit.per_minute')}
        onChange={(perMinute) => set({ perMinute: Number(perMinute) })}
      />
      <Checkbox
        label="Enabled"
        checked={draft.enabled}
        onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
      />
    </>
  )
}

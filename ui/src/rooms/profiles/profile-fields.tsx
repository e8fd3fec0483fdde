import { SegmentedControl, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { AssignmentsField } from '../../components/assignments-field.tsx'
import { fieldError } from '../../components/index.ts'
import type { ProfileDraft } from './profile.ts'

interface ProfileFieldsProps {
  readonly draft: ProfileDraft
  readonly onChange: (draft: ProfileDraft) => void
  readonly error: Error | null
}

/** The fields that the form marks itself. */
export const PROFILE_FIELDS = ['image', 'labels', 'environment', 'resources.cpus', 'resources.memory_mb']

/** What a profile asks of a runner. */
export function ProfileFields({ draft, onChange, error }: ProfileFieldsProps): ReactNode {
  const set = (change: Partial<ProfileDraft>): void => onChange({ ...draft, ...change })
  const isContainer = draft.executor === 'container'
  return (
    <>
      <SegmentedControl
        aria-label="Executor"
        size="xs"
        data={[
          { value: 'container', label: 'In a container' },
          { value: 'host', label: 'On the runner itself' },
        ]}
        value={draft.executor}
        onChange={(executor) => set({ executor: executor === 'host' ? 'host' : 'container' })}
      />
      {isContainer && (
        <TextInput
          label="Image"
          required
          placeholder="node:24-slim"
          value={draft.image}
          error={fieldError(error, 'image')}
          onChange={({ currentTarget }) => set({ image: currentTarget.value })}
        />
      )}
      <TextInput
        label="Labels"
        description="Only a runner that offers all of them takes its tasks."
        value={draft.labels}
        error={fieldError(error, 'labels')}
        onChange={({ currentTarget }) => set({ labels: currentTarget.value })}
      />
      <AssignmentsField
        label="Environment"
        description="Secrets do not belong here."
        value={draft.environment}
        error={fieldError(error, 'environment')}
        onChange={(environment) => set({ environment })}
      />
      {isContainer && (
        <>
          <TextInput
            label="Processors"
            inputMode="decimal"
            value={draft.cpus}
            error={fieldError(error, 'resources.cpus')}
            onChange={({ currentTarget }) => set({ cpus: currentTarget.value })}
          />
          <TextInput
            label="Memory in MiB"
            inputMode="numeric"
            value={draft.memoryMb}
            error={fieldError(error, 'resources.memory_mb')}
            onChange={({ currentTarget }) => set({ memoryMb: currentTarget.value })}
          />
        </>
      )}
    </>
  )
}

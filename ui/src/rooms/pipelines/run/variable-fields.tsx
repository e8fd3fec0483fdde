import { Fieldset, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldError, GrowingText } from '../../../components/index.ts'
import { type RunDraft, withVariable } from './run-draft.ts'

interface VariableFieldsProps {
  /** Those of the document, with their values. */
  readonly variables: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly draft: RunDraft
  readonly onChange: (draft: RunDraft) => void
  readonly error: Error | null
}

/** A field for each variable of the document; an unchanged one keeps the value of the document. */
export function VariableFields({ variables, secrets, draft, onChange, error }: VariableFieldsProps): ReactNode {
  const names = Object.entries(variables)
  const stored = Object.entries(secrets)
  if (names.length === 0 && stored.length === 0) return null
  return (
    <Fieldset legend="Variables">
      <Stack gap="sm">
        {names.map(([name, value]) => (
          <GrowingText
            key={name}
            label={name}
            description={name in draft.variables ? `The document says ${value === '' ? 'nothing' : value}` : undefined}
            most={8}
            value={draft.variables[name] ?? value}
            error={fieldError(error, `variables.${name}`)}
            onChange={({ currentTarget }) =>
              onChange(withVariable(draft, name, currentTarget.value === value ? undefined : currentTarget.value))
            }
          />
        ))}
        {stored.length > 0 && (
          <Text size="sm" c="dimmed">
            Its tasks also get the secrets {stored.map(([name, secret]) => `${name} (${secret})`).join(', ')}.
          </Text>
        )}
      </Stack>
    </Fieldset>
  )
}

import { Button, Fieldset, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { fieldError, GrowingText } from '../../../components/index.ts'
import type { Run } from '../run.ts'
import { type RerunChoice, setVariable } from './rerun-input.ts'

type Variables = RerunChoice['variables']

interface RerunVariablesProps {
  readonly run: Pick<Run, 'variables' | 'secret_variables'>
  readonly variables: Variables
  readonly onChange: (variables: Variables) => void
  readonly error: Error | null
}

/** The variables of the run, and further ones: the newest document may declare some that the run did not have. */
export function RerunVariables({ run, variables, onChange, error }: RerunVariablesProps): ReactNode {
  const known = new Set([...Object.keys(run.variables), ...run.secret_variables])
  const added = Object.keys(variables).filter((name) => !known.has(name))
  const set = (name: string, value: string | undefined): void => onChange(setVariable(variables, name, value))
  return (
    <Fieldset legend="Variables">
      <Stack gap="sm">
        {Object.keys(run.variables).map((name) => (
          <ValueField
            key={name}
            name={name}
            value={variables[name] ?? ''}
            error={error}
            onChange={(value) => set(name, value)}
          />
        ))}
        {run.secret_variables.map((name) => (
          <PasswordInput
            key={name}
            label={name}
            description="A secret: the value of this run is taken unless you type another, which everybody may then see."
            value={variables[name] ?? ''}
            error={fieldError(error, `variables.${name}`)}
            onChange={({ currentTarget }) => set(name, currentTarget.value || undefined)}
          />
        ))}
        {added.map((name) => (
          <Group key={name} gap="sm" align="end" wrap="nowrap">
            <ValueField
              name={name}
              value={variables[name] ?? ''}
              error={error}
              onChange={(value) => set(name, value)}
            />
            <Button variant="default" size="sm" aria-label={`Leave out ${name}`} onClick={() => set(name, undefined)}>
              Leave out
            </Button>
          </Group>
        ))}
        <NewVariable isTaken={(name) => known.has(name) || name in variables} onAdd={(name) => set(name, '')} />
      </Stack>
    </Fieldset>
  )
}

interface ValueFieldProps {
  readonly name: string
  readonly value: string
  readonly error: Error | null
  readonly onChange: (value: string) => void
}

/** A value may have lines: a field of one line would lose their ends. */
function ValueField({ name, value, error, onChange }: ValueFieldProps): ReactNode {
  return (
    <GrowingText
      flex={1}
      label={name}
      most={8}
      value={value}
      error={fieldError(error, `variables.${name}`)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface NewVariableProps {
  readonly isTaken: (name: string) => boolean
  readonly onAdd: (name: string) => void
}

function NewVariable({ isTaken, onAdd }: NewVariableProps): ReactNode {
  const [name, setName] = useState('')
  const taken = isTaken(name.trim())
  function add(): void {
    if (name.trim() === '' || taken) return
    onAdd(name.trim())
    setName('')
  }
  return (
    <Group gap="sm" align="end" wrap="nowrap">
      <TextInput
        flex={1}
        label="Another variable"
        description="The document must declare it."
        value={name}
        error={taken && 'It stands above.'}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter would send the form.
          event.preventDefault()
          add()
        }}
      />
      <Button variant="default" size="sm" onClick={add}>
        Add
      </Button>
    </Group>
  )
}

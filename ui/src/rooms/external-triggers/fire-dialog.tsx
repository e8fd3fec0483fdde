import { Text, TextInput } from '@mantine/core'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormDialog, fieldError } from '../../components/index.ts'
import type { ExternalTrigger } from './external-trigger.ts'

interface FireDialogProps {
  readonly trigger: ExternalTrigger
  readonly onClose: () => void
}

/** A fire by hand: it starts a real run on behalf of whoever is signed in, and leads to it. */
export function FireDialog({ trigger, onClose }: FireDialogProps): ReactNode {
  const navigate = useNavigate()
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({})
  const fire = useWrite(externalTriggerRoutes.runExternalTrigger, {
    changes: [externalTriggerRoutes.getExternalTrigger, externalTriggerRoutes.listExternalTriggers],
    onDone: ({ run_id }) => void navigate({ to: '/runs/$id', params: { id: run_id } }),
  })
  const names = trigger.allowed_variables
  return (
    <FormDialog
      title={`Fire ${trigger.identifier}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => fire.mutate({ params: { id: trigger.id }, body: { variables } })}
      action="Fire"
      isSending={fire.isPending}
      error={fire.error}
      marked={names.map(fieldOf)}
    >
      <Text size="sm">
        It starts a run of {trigger.pipeline} in {trigger.scope}, on your behalf.
      </Text>
      {names.map((name) => (
        <TextInput
          key={name}
          label={name}
          description="Empty: as the trigger or the pipeline says."
          value={variables[name] ?? ''}
          error={fieldError(fire.error, fieldOf(name))}
          onChange={({ currentTarget }) => setVariables(withVariable(variables, name, currentTarget.value))}
        />
      ))}
    </FormDialog>
  )
}

function fieldOf(name: string): string {
  return `variables.${name}`
}

/** An empty value is left out. */
function withVariable(variables: Readonly<Record<string, string>>, name: string, value: string) {
  const others = Object.entries(variables).filter(([each]) => each !== name)
  return Object.fromEntries(value === '' ? others : [...others, [name, value]])
}

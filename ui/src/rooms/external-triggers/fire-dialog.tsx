import { PasswordInput, Text, TextInput } from '@mantine/core'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiProblem, useWrite } from '../../client/index.ts'
import { FormDialog, fieldError } from '../../components/index.ts'
import type { ExternalTrigger } from './external-trigger.ts'

interface FireDialogProps {
  readonly trigger: ExternalTrigger
  readonly onClose: () => void
}

/** A fire as a sender does it, which the route admits by a bearer alone. It starts a real run, and leads to it. */
export function FireDialog({ trigger, onClose }: FireDialogProps): ReactNode {
  const navigate = useNavigate()
  const [bearer, setBearer] = useState('')
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({})
  const fire = useWrite(externalTriggerRoutes.fireExternalTrigger, {
    changes: [externalTriggerRoutes.getExternalTrigger, externalTriggerRoutes.listExternalTriggers],
    onDone: ({ run_id }) => void navigate({ to: '/runs/$id', params: { id: run_id } }),
  })
  const names = trigger.allowed_variables
  return (
    <FormDialog
      title={`Fire ${trigger.identifier}?`}
      isOpen
      onClose={onClose}
      onSubmit={() =>
        fire.mutate({
          params: { id: trigger.id },
          body: { variables },
          headers: { authorization: `Bearer ${bearer.trim()}` },
        })
      }
      action="Fire"
      isSending={fire.isPending}
      // A wrong secret is an ordinary answer here, and no end of the session.
      error={fire.error && wordsOf(fire.error)}
      marked={names.map(fieldOf)}
    >
      <Text size="sm">
        It starts a run of {trigger.pipeline} in {trigger.scope}.
      </Text>
      <PasswordInput
        label="Secret"
        description="Of this external trigger, or a token of yours. It is sent once and kept nowhere."
        required
        autoComplete="off"
        value={bearer}
        onChange={({ currentTarget }) => setBearer(currentTarget.value)}
      />
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

/** The notice of problems leaves out "unauthenticated", which elsewhere asks to sign in again. */
function wordsOf(error: Error): Error {
  return error instanceof ApiProblem && error.status === 401 ? new Error(error.message) : error
}

function fieldOf(name: string): string {
  return `variables.${name}`
}

/** An empty value is left out. */
function withVariable(variables: Readonly<Record<string, string>>, name: string, value: string) {
  const others = Object.entries(variables).filter(([each]) => each !== name)
  return Object.fromEntries(value === '' ? others : [...others, [name, value]])
}

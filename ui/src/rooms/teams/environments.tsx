import { Checkbox, Text, Textarea, TextInput } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, readPages, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  DataList,
  EmptyState,
  FormDialog,
  fieldError,
  Section,
} from '../../components/index.ts'
import type { Environment, Team } from './team.ts'

const CHANGES = [teamRoutes.listEnvironments]

/** The environments of a team: what runs name as their scope. */
export function Environments({ team }: { readonly team: Team }): ReactNode {
  const [isCreating, setCreating] = useState(false)
  const params = { id: team.id }
  const environments = useInfiniteQuery(readPages(teamRoutes.listEnvironments, { params }))
  const create = (
    <AllowedButton permission="environment.write" at={team.path} onClick={() => setCreating(true)}>
      Create an environment
    </AllowedButton>
  )
  const columns: readonly Column<Environment>[] = [
    { key: 'scope', header: 'Scope', isPlain: true, cell: ({ scope }) => scope },
    { key: 'protected', header: 'Protected', cell: (each) => (each.protected ? 'yes' : 'no') },
    {
      key: 'allowed',
      header: 'May use it',
      cell: (each) => (each.protected ? `${each.allowed_subjects.length} named` : 'who has scope.use'),
    },
    {
      key: 'actions',
      header: 'Actions',
      isPlain: true,
      cell: (environment) => <EnvironmentActions team={team} environment={environment} />,
    },
  ]
  return (
    <Section title="Environments" actions={create}>
      <DataList
        label="Environments"
        columns={columns}
        items={environments.data && itemsOf(environments.data)}
        keyOf={({ id }) => id}
        error={environments.error}
        onRetry={() => void environments.refetch()}
        empty={
          <EmptyState title="No environment yet" action={create}>
            A run names one as its scope, such as {team.path}/production. Runners serve scopes.
          </EmptyState>
        }
      />
      {isCreating && <EnvironmentForm team={team} onClose={() => setCreating(false)} />}
    </Section>
  )
}

interface EnvironmentActionsProps {
  readonly team: Team
  readonly environment: Environment
}

function EnvironmentActions({ team, environment }: EnvironmentActionsProps): ReactNode {
  const [dialog, setDialog] = useState<'change' | 'delete'>()
  const close = (): void => setDialog(undefined)
  const remove = useWrite(teamRoutes.deleteEnvironment, { changes: CHANGES, onDone: close })
  const right = { permission: 'environment.write', at: team.path, variant: 'subtle' } as const
  return (
    <>
      <AllowedButton {...right} onClick={() => setDialog('change')}>
        Change
      </AllowedButton>
      <AllowedButton {...right} color="danger" onClick={() => setDialog('delete')}>
        Delete
      </AllowedButton>
      {dialog === 'change' && <EnvironmentForm team={team} environment={environment} onClose={close} />}
      <FormDialog
        title={`Delete ${environment.scope}?`}
        isOpen={dialog === 'delete'}
        onClose={close}
        onSubmit={() => remove.mutate({ params: { id: team.id, name: environment.name } })}
        action="Delete"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>Runs that name it are refused from then on.</Text>
      </FormDialog>
    </>
  )
}

interface EnvironmentFormProps {
  readonly team: Team
  readonly environment?: Environment
  readonly onClose: () => void
}

function EnvironmentForm({ team, environment, onClose }: EnvironmentFormProps): ReactNode {
  const [name, setName] = useState(environment?.name ?? '')
  const [isProtected, setProtected] = useState(environment?.protected ?? false)
  const [allowed, setAllowed] = useState(environment?.allowed_subjects.join('\n') ?? '')
  const create = useWrite(teamRoutes.createEnvironment, { changes: CHANGES, onDone: onClose })
  const change = useWrite(teamRoutes.updateEnvironment, { changes: CHANGES, onDone: onClose })
  const write = environment ? change : create
  const protection = {
    protected: isProtected,
    allowed_subjects: allowed.split(/\s+/).filter((subject) => subject !== ''),
  }
  function submit(): void {
    if (environment) {
      const params = { id: team.id, name: environment.name }
      change.mutate({ params, body: protection })
    } else create.mutate({ params: { id: team.id }, body: { name, ...protection } })
  }
  return (
    <FormDialog
      title={environment ? `Change ${environment.scope}` : `Create an environment of ${team.path}`}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      action={environment ? 'Save' : 'Create'}
      isSending={write.isPending}
      error={write.error}
      marked={['name', 'allowed_subjects']}
    >
      {!environment && (
        <TextInput
          label="Name"
          required
          placeholder="production"
          value={name}
          error={fieldError(write.error, 'name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      <Checkbox
        label="Protected: only those named below may use it"
        description="Needs grant.write, too."
        checked={isProtected}
        onChange={({ currentTarget }) => setProtected(currentTarget.checked)}
      />
      <Textarea
        label="Allowed"
        description="A line each: user:<id>, group:<id> or service_account:<id>."
        autosize
        minRows={2}
        value={allowed}
        error={fieldError(write.error, 'allowed_subjects')}
        onChange={({ currentTarget }) => setAllowed(currentTarget.value)}
      />
    </FormDialog>
  )
}

import { Checkbox, Text, TextInput } from '@mantine/core'
import { etagOf } from '@signalbox/contracts/http/etags'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, readPages, useEdited, useWrite } from '../../client/index.ts'
import { EditDialog } from '../../components/edit-dialog.tsx'
import {
  AllowedButton,
  type Column,
  DataList,
  EmptyState,
  FormDialog,
  fieldError,
  GrowingText,
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
        {...moreOf(environments)}
        empty={
          <EmptyState title="No environment yet" action={create}>
            A run names one as its scope, such as {team.path}/production. Runners serve scopes.
          </EmptyState>
        }
      />
      {isCreating && <CreateEnvironment team={team} onClose={() => setCreating(false)} />}
    </Section>
  )
}

interface EnvironmentActionsProps {
  readonly team: Team
  readonly environment: Environment
}

interface ClosedProps {
  readonly onClose: () => void
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
      {dialog === 'change' && <ChangeEnvironment team={team} environment={environment} onClose={close} />}
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

/** Who may use an environment, as it is typed. */
interface Protection {
  readonly isProtected: boolean
  readonly allowed: string
}

const UNPROTECTED: Protection = { isProtected: false, allowed: '' }

function protectionOf({ protected: isProtected, allowed_subjects }: Environment): Protection {
  return { isProtected, allowed: allowed_subjects.join('\n') }
}

function documentOf({ isProtected, allowed }: Protection) {
  return { protected: isProtected, allowed_subjects: allowed.split(/\s+/).filter((subject) => subject !== '') }
}

function CreateEnvironment({ team, onClose }: { readonly team: Team } & ClosedProps): ReactNode {
  const [name, setName] = useState('')
  const [protection, setProtection] = useState(UNPROTECTED)
  const create = useWrite(teamRoutes.createEnvironment, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title={`Create an environment of ${team.path}`}
      isOpen
      onClose={onClose}
      onSubmit={() => create.mutate({ params: { id: team.id }, body: { name, ...documentOf(protection) } })}
      action="Create"
      isSending={create.isPending}
      error={create.error}
      marked={['name', 'allowed_subjects']}
    >
      <TextInput
        label="Name"
        required
        placeholder="production"
        value={name}
        error={fieldError(create.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ProtectionFields protection={protection} onChange={setProtection} error={create.error} />
    </FormDialog>
  )
}

function ChangeEnvironment({ team, environment, onClose }: EnvironmentActionsProps & ClosedProps): ReactNode {
  const edited = useEdited({
    route: teamRoutes.updateEnvironment,
    params: { id: team.id, name: environment.name },
    changes: CHANGES,
    stored: environment,
    // The list names no ETags.
    etag: etagOf(new Date(environment.updated_at)),
    draftOf: protectionOf,
    documentOf,
    onSaved: onClose,
  })
  return (
    <EditDialog title={`Change ${environment.scope}`} edited={edited} marked={['allowed_subjects']} onClose={onClose}>
      <ProtectionFields protection={edited.draft} onChange={edited.setDraft} error={edited.error} />
    </EditDialog>
  )
}

interface ProtectionFieldsProps {
  readonly protection: Protection
  readonly onChange: (protection: Protection) => void
  readonly error: Error | null
}

function ProtectionFields({ protection, onChange, error }: ProtectionFieldsProps): ReactNode {
  return (
    <>
      <Checkbox
        label="Protected: only those named below may use it"
        description="Needs grant.write, too."
        checked={protection.isProtected}
        onChange={({ currentTarget }) => onChange({ ...protection, isProtected: currentTarget.checked })}
      />
      <GrowingText
        label="Allowed"
        description="A line each: user:<id>, group:<id> or service_account:<id>."
        least={2}
        value={protection.allowed}
        error={fieldError(error, 'allowed_subjects')}
        onChange={({ currentTarget }) => onChange({ ...protection, allowed: currentTarget.value })}
      />
    </>
  )
}

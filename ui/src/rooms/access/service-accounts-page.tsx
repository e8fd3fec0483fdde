import { Text, TextInput } from '@mantine/core'
import { serviceAccountRoutes } from '@signalbox/contracts/access/routes'
import { memberRoutes } from '@signalbox/contracts/members/routes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, readDocument, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  FormDialog,
  fieldError,
  Instant,
  PageHeader,
  StatusBadge,
  TeamSelect,
} from '../../components/index.ts'
import { EVERY_TEAM, teamOrAny } from '../../shell/index.ts'
import type { ServiceAccount } from './access.ts'
import { AccountTokens } from './account-tokens.tsx'

const page = getRouteApi('/shell/t/$team/service-accounts')
const CHANGES = [serviceAccountRoutes.listServiceAccounts, memberRoutes.listTeamMembers]

/** The accounts of programs, and their tokens. */
export function ServiceAccountsPage(): ReactNode {
  const { team } = page.useParams()
  const isEvery = team === EVERY_TEAM
  const [isCreating, setCreating] = useState(false)
  const accounts = useInfiniteQuery(page.useLoaderData())
  // The route knows no filter by team.
  const shown = accounts.data && itemsOf(accounts.data).filter(({ team_path }) => isEvery || isWithin(team_path, team))
  const create = (
    <AllowedButton permission="service_account.write" at={teamOrAny(team)} onClick={() => setCreating(true)}>
      Create a service account
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Service accounts"
        sentence="Programs act as service accounts: each has roles and tokens of its own, and belongs to a team."
        actions={
          <>
            {create}
            <CopyAs path="/v1/service-accounts" command={['service-account', 'list']} />
          </>
        }
      />
      <DataList
        label="Service accounts"
        columns={COLUMNS}
        items={shown}
        keyOf={({ id }) => id}
        {...moreOf(accounts)}
        empty={
          <EmptyState title="No service account yet" action={create}>
            A deployment tool or a bot calls the API with a token of one.
          </EmptyState>
        }
      />
      {isCreating && <CreateAccount team={isEvery ? '' : team} onClose={() => setCreating(false)} />}
    </>
  )
}

function isWithin(path: string, team: string): boolean {
  return path === team || path.startsWith(`${team}/`)
}

const COLUMNS: readonly Column<ServiceAccount>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ disabled }) => <StatusBadge status={disabled ? 'disabled' : 'enabled'} />,
  },
  { key: 'name', header: 'Name', isPlain: true, cell: ({ team_path, name }) => `${team_path}/${name}` },
  { key: 'created', header: 'Created', cell: ({ created_at }) => <Instant at={created_at} /> },
  { key: 'actions', header: 'Actions', isPlain: true, cell: (account) => <AccountActions account={account} /> },
]

function AccountActions({ account }: { readonly account: ServiceAccount }): ReactNode {
  const [dialog, setDialog] = useState<'tokens' | 'state' | 'delete'>()
  const close = (): void => setDialog(undefined)
  const remove = useWrite(serviceAccountRoutes.deleteServiceAccount, { changes: CHANGES, onDone: close })
  const right = { permission: 'service_account.write', at: account.team_path, variant: 'subtle' } as const
  const params = { id: account.id }
  return (
    <>
      <AllowedButton {...right} permission="token.write" onClick={() => setDialog('tokens')}>
        Tokens
      </AllowedButton>
      <AllowedButton {...right} onClick={() => setDialog('state')}>
        {account.disabled ? 'Enable' : 'Disable'}
      </AllowedButton>
      <AllowedButton {...right} color="danger" onClick={() => setDialog('delete')}>
        Delete
      </AllowedButton>
      {dialog === 'state' && <ChangeState account={account} onClose={close} />}
      {dialog === 'tokens' && <AccountTokens account={account} onClose={close} />}
      <FormDialog
        title={`Delete ${account.team_path}/${account.name}?`}
        isOpen={dialog === 'delete'}
        onClose={close}
        onSubmit={() => remove.mutate({ params })}
        action="Delete"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>Its tokens end at once, and its triggers start nothing any more.</Text>
      </FormDialog>
    </>
  )
}

interface ChangeStateProps {
  readonly account: ServiceAccount
  readonly onClose: () => void
}

/** Disables an account, or enables it again. */
function ChangeState({ account, onClose }: ChangeStateProps): ReactNode {
  const params = { id: account.id }
  // The list names no ETags, and the account itself says when it was disabled.
  const current = useQuery(readDocument(serviceAccountRoutes.getServiceAccount, { params }))
  const [wanted] = useState(!account.disabled)
  const isDone = current.data?.body.disabled === wanted
  const change = useWrite(serviceAccountRoutes.updateServiceAccount, {
    changes: CHANGES,
    shown: [serviceAccountRoutes.getServiceAccount],
    onDone: onClose,
  })
  const verb = wanted ? 'Disable' : 'Enable'
  return (
    <FormDialog
      title={`${verb} ${account.team_path}/${account.name}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => change.mutate({ params, body: { disabled: wanted }, ifMatch: current.data?.etag })}
      action={verb}
      obstacle={current.data === undefined ? 'How it is now is being read.' : undefined}
      isDangerous={wanted}
      isSending={change.isPending}
      error={change.error ?? current.error}
    >
      <Text>
        {wanted
          ? 'Its tokens are refused until it is enabled again, and its triggers start nothing.'
          : 'Its tokens count again, and its triggers start runs.'}
      </Text>
      {isDone && !change.isPending && <Text>Somebody has done so meanwhile.</Text>}
    </FormDialog>
  )
}

function CreateAccount({ team, onClose }: { readonly team: string; readonly onClose: () => void }): ReactNode {
  const [teamPath, setTeamPath] = useState(team)
  const [name, setName] = useState('')
  const create = useWrite(serviceAccountRoutes.createServiceAccount, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title="Create a service account"
      isOpen
      onClose={onClose}
      onSubmit={() => create.mutate({ body: { team_path: teamPath, name } })}
      action="Create"
      isSending={create.isPending}
      error={create.error}
      marked={['team_path', 'name']}
    >
      <TeamSelect value={teamPath} onChange={setTeamPath} error={fieldError(create.error, 'team_path')} />
      <TextInput
        label="Name"
        required
        placeholder="deployer"
        value={name}
        error={fieldError(create.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

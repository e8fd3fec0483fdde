import { Group, TextInput } from '@mantine/core'
import { gitAppRoutes, installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, readPages, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  DataList,
  EmptyState,
  FormDialog,
  fieldError,
  ProblemNotice,
  Section,
} from '../../components/index.ts'
import { type App, CHANGES } from './git-app.ts'
import { installationColumns } from './installation-columns.tsx'
import { leadAway } from './lead-away.ts'
import { PROVIDERS } from './providers.ts'

const RIGHT = { permission: 'git_app.write', at: '/' } as const

/** Where the app is installed, what it was given there, and which teams may use it. */
export function Installations({ app }: { readonly app: App }): ReactNode {
  const { provider } = app
  const installations = useInfiniteQuery(readPages(installationRoutes.listInstallations, { params: { provider } }))
  const [isRecording, setRecording] = useState(false)
  const install = useWrite(gitAppRoutes.startInstallation, { changes: [], onDone: ({ url }) => leadAway(url) })
  const { hasApps, name } = PROVIDERS[provider]
  const record = (
    <AllowedButton {...RIGHT} variant="default" onClick={() => setRecording(true)}>
      {hasApps ? 'Record by id' : 'Add a group or account'}
    </AllowedButton>
  )
  const actions = (
    <Group gap="sm">
      {hasApps && (
        <AllowedButton
          {...RIGHT}
          loading={install.isPending || install.isSuccess}
          onClick={() => install.mutate({ params: { provider } })}
        >
          Install at {name}
        </AllowedButton>
      )}
      {record}
    </Group>
  )
  return (
    <Section title="Installations" actions={actions}>
      <ProblemNotice error={install.error} />
      <DataList
        label="Installations"
        columns={installationColumns()}
        items={installations.data && itemsOf(installations.data)}
        keyOf={({ installation_id }) => installation_id}
        {...moreOf(installations)}
        empty={
          <EmptyState title="The app is installed nowhere">
            {hasApps
              ? 'An installation gives the app the repositories of an account. Who manages the account chooses them.'
              : 'Add the groups or accounts whose repositories the token may use.'}
          </EmptyState>
        }
      />
      {isRecording && <RecordInstallation app={app} onClose={() => setRecording(false)} />}
    </Section>
  )
}

interface RecordInstallationProps {
  readonly app: App
  readonly onClose: () => void
}

/** Of an installation that was made at the provider, without this page. */
function RecordInstallation({ app, onClose }: RecordInstallationProps): ReactNode {
  const { hasApps } = PROVIDERS[app.provider]
  const [id, setId] = useState('')
  const create = useWrite(installationRoutes.createInstallation, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title={hasApps ? 'Record an installation' : 'Add a group or account'}
      isOpen
      onClose={onClose}
      onSubmit={() => create.mutate({ params: { provider: app.provider }, body: { installation_id: id.trim() } })}
      action={hasApps ? 'Record' : 'Add'}
      isSending={create.isPending}
      error={create.error}
      marked={['installation_id']}
    >
      <TextInput
        label={hasApps ? 'Id of the installation' : 'Group or account'}
        description={
          hasApps ? 'The number at the end of the address of its settings at the provider.' : 'As its address names it.'
        }
        required
        autoComplete="off"
        value={id}
        error={fieldError(create.error, 'installation_id')}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
      />
    </FormDialog>
  )
}

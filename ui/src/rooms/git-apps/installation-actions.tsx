import { Button, Group, Text } from '@mantine/core'
import { installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, countOf, ForeignText, FormDialog, ProblemNotice } from '../../components/index.ts'
import { CHANGES, type Installation, nameOfInstallation } from './git-app.ts'
import { InstallationRepositories } from './installation-repositories.tsx'
import { InstallationTeams } from './installation-teams.tsx'

const RIGHT = { permission: 'git_app.write', at: '/', variant: 'subtle' } as const
const CHANGED = [...CHANGES, installationRoutes.listInstallationRepositories]

/** What is done with one installation; what came of it is said below its buttons. */
export function InstallationActions({ installation }: { readonly installation: Installation }): ReactNode {
  const [dialog, setDialog] = useState<'repositories' | 'teams' | 'remove'>()
  const close = (): void => setDialog(undefined)
  const params = { provider: installation.provider, installationID: installation.installation_id }
  const verify = useWrite(installationRoutes.verifyInstallation, { changes: CHANGED })
  const refresh = useWrite(installationRoutes.refreshInstallation, { changes: CHANGED })
  const remove = useWrite(installationRoutes.deleteInstallation, { changes: CHANGED, onDone: close })
  const name = nameOfInstallation(installation)
  return (
    <>
      <Group gap="xs">
        <AllowedButton {...RIGHT} loading={verify.isPending} onClick={() => verify.mutate({ params })}>
          Verify
        </AllowedButton>
        <AllowedButton {...RIGHT} loading={refresh.isPending} onClick={() => refresh.mutate({ params })}>
          Refresh
        </AllowedButton>
        <Button variant="subtle" onClick={() => setDialog('repositories')}>
          Repositories
        </Button>
        <AllowedButton {...RIGHT} onClick={() => setDialog('teams')}>
          Teams
        </AllowedButton>
        <AllowedButton {...RIGHT} color="danger" onClick={() => setDialog('remove')}>
          Remove
        </AllowedButton>
      </Group>
      <ProblemNotice error={verify.error ?? refresh.error} />
      {verify.data && (
        <Text size="sm" role="status">
          {verify.data.ok ? (
            'The provider gives tokens for it.'
          ) : (
            <ForeignText>{verify.data.reason ?? 'The provider gives no token for it.'}</ForeignText>
          )}
        </Text>
      )}
      {refresh.data && (
        <Text size="sm" role="status">
          {countOf(refresh.data.repository_count, 'repository', 'repositories')}: {refresh.data.added} came,{' '}
          {refresh.data.removed} left.
        </Text>
      )}
      {dialog === 'repositories' && <InstallationRepositories installation={installation} onClose={close} />}
      {dialog === 'teams' && <InstallationTeams installation={installation} onClose={close} />}
      <FormDialog
        title={`Remove the installation at ${name}?`}
        isOpen={dialog === 'remove'}
        onClose={close}
        onSubmit={() => remove.mutate({ params })}
        action="Remove"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>Nothing acts for it any more. It stays at the provider until somebody uninstalls the app there.</Text>
      </FormDialog>
    </>
  )
}

import { Button, Group, Stack, TagsInput, Text } from '@mantine/core'
import { installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormDialog, TeamSelect } from '../../components/index.ts'
import { CHANGES, type Installation, nameOfInstallation } from './git-app.ts'

interface InstallationTeamsProps {
  readonly installation: Installation
  readonly onClose: () => void
}

interface Use {
  readonly key: number
  readonly teamPath: string
  readonly repositories: readonly string[]
}

/** Which teams may use an installation, and for which repositories. */
export function InstallationTeams({ installation, onClose }: InstallationTeamsProps): ReactNode {
  const [uses, setUses] = useState<readonly Use[]>(() =>
    installation.teams.map(({ team_path, repositories }, key) => ({ key, teamPath: team_path, repositories })),
  )
  const replace = useWrite(installationRoutes.replaceInstallationTeams, {
    changes: [...CHANGES, installationRoutes.listConnectedRepositories],
    onDone: onClose,
  })
  const change = (changed: Use): void => setUses(uses.map((use) => (use.key === changed.key ? changed : use)))
  return (
    <FormDialog
      title={`Teams that may use ${nameOfInstallation(installation)}`}
      isOpen
      onClose={onClose}
      onSubmit={() =>
        replace.mutate({
          params: { provider: installation.provider, installationID: installation.installation_id },
          body: {
            teams: uses.map(({ teamPath, repositories }) => ({
              team_path: teamPath,
              ...(repositories.length === 0 ? {} : { repositories: [...repositories] }),
            })),
          },
        })
      }
      action="Save"
      obstacle={uses.some(({ teamPath }) => teamPath === '') ? 'Choose a team for each line first.' : undefined}
      isSending={replace.isPending}
      error={replace.error}
    >
      <Text size="sm">
        Sources of these teams and those below them may use its repositories. To anybody else it reads as if it did not
        exist.
      </Text>
      {uses.map((use) => (
        <Stack key={use.key} gap="xs">
          <TeamSelect value={use.teamPath} onChange={(teamPath) => change({ ...use, teamPath })} />
          <TagsInput
            label="Repositories"
            description="owner/repository patterns; ! excludes. Enter adds one. Empty: all of the installation."
            value={[...use.repositories]}
            onChange={(repositories) => change({ ...use, repositories })}
          />
          <Group>
            <Button variant="subtle" color="danger" onClick={() => setUses(uses.filter(({ key }) => key !== use.key))}>
              Take {use.teamPath === '' ? 'it' : use.teamPath} away
            </Button>
          </Group>
        </Stack>
      ))}
      <Group>
        <Button
          variant="default"
          onClick={() => setUses([...uses, { key: (uses.at(-1)?.key ?? 0) + 1, teamPath: '', repositories: [] }])}
        >
          Add a team
        </Button>
      </Group>
    </FormDialog>
  )
}

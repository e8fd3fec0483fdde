import { Text, TextInput } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEdited, useWrite } from '../../client/index.ts'
import { EditDialog } from '../../components/edit-dialog.tsx'
import {
  AllowedButton,
  CopyAs,
  ForeignText,
  FormDialog,
  fieldError,
  Instant,
  PageButton,
  PageHeader,
  PageLink,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { Environments } from './environments.tsx'
import type { Team } from './team.ts'
import { CreateTeam } from './teams-page.tsx'

const page = getRouteApi('/shell/teams/$id')
type Dialog = 'below' | 'rename' | 'delete'

/** One team and its environments; the way to its members. */
export function TeamPage(): ReactNode {
  const team = useQuery(page.useLoaderData())
  if (team.data === undefined) {
    return <ObjectPending title="Team" query={team} />
  }
  return <LoadedTeam team={team.data.body} etag={team.data.etag} />
}

interface LoadedTeamProps {
  readonly team: Team
  readonly etag: string | undefined
}

function LoadedTeam({ team, etag }: LoadedTeamProps): ReactNode {
  const [dialog, setDialog] = useState<Dialog>()
  const close = (): void => setDialog(undefined)
  const right = { permission: 'team.write', at: team.path, variant: 'default' } as const
  const parent = team.path.includes('/') ? team.path.slice(0, team.path.lastIndexOf('/')) : undefined
  return (
    <>
      <PageHeader
        title={team.path}
        team={team.path}
        breadcrumb={[
          <PageLink key="teams" to="/teams">
            Teams
          </PageLink>,
          ...(parent === undefined
            ? []
            : [
                <PageLink key="parent" to="/teams/$id" params={{ id: parent }}>
                  {parent}
                </PageLink>,
              ]),
        ]}
        facts={[<ForeignText key="name">{team.name}</ForeignText>, <Instant key="created" at={team.created_at} />]}
        actions={
          <>
            <PageButton variant="default" to="/t/$team/members" params={{ team: team.path }}>
              Members
            </PageButton>
            <AllowedButton {...right} onClick={() => setDialog('below')}>
              Create a team below
            </AllowedButton>
            <AllowedButton {...right} onClick={() => setDialog('rename')}>
              Rename
            </AllowedButton>
            <AllowedButton {...right} onClick={() => setDialog('delete')}>
              Delete
            </AllowedButton>
            <CopyAs path={`/v1/teams/${team.id}`} command={['team', 'show', team.path]} />
          </>
        }
      />
      <Environments team={team} />
      {dialog === 'below' && <CreateTeam parent={team.path} onClose={close} />}
      {dialog === 'rename' && <RenameTeam team={team} etag={etag} onClose={close} />}
      {dialog === 'delete' && <DeleteTeam team={team} onClose={close} />}
    </>
  )
}

interface DialogProps {
  readonly team: Team
  readonly onClose: () => void
}

function RenameTeam({ team, etag, onClose }: DialogProps & { readonly etag: string | undefined }): ReactNode {
  const edited = useEdited({
    route: teamRoutes.updateTeam,
    params: { id: team.id },
    changes: [teamRoutes.getTeam, teamRoutes.listTeams],
    stored: team,
    etag,
    draftOf: (stored: Team) => ({ name: stored.name }),
    documentOf: (draft: { readonly name: string }) => draft,
    onSaved: onClose,
  })
  return (
    <EditDialog title={`Rename ${team.path}`} action="Rename" edited={edited} marked={['name']} onClose={onClose}>
      <TextInput
        label="Name"
        required
        value={edited.draft.name}
        error={fieldError(edited.error, 'name')}
        onChange={({ currentTarget }) => edited.setDraft({ name: currentTarget.value })}
      />
    </EditDialog>
  )
}

function DeleteTeam({ team, onClose }: DialogProps): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(teamRoutes.deleteTeam, {
    changes: [teamRoutes.listTeams],
    onDone: () => void navigate({ to: '/teams' }),
  })
  return (
    <FormDialog
      title={`Delete ${team.path}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { id: team.id } })}
      action="Delete"
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
    >
      <Text>A team that still holds something is not deleted: the answer says what.</Text>
    </FormDialog>
  )
}

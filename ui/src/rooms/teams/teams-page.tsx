import { TextInput } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  fieldError,
  Instant,
  PageHeader,
  RowLink,
} from '../../components/index.ts'
import { treeOf } from './team.ts'
import styles from './teams-page.module.css'

const page = getRouteApi('/shell/teams')

/** The tree of teams that one may see. */
export function TeamsPage(): ReactNode {
  const [isCreating, setCreating] = useState(false)
  const teams = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton permission="team.write" at={undefined} onClick={() => setCreating(true)}>
      Create a team
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Teams"
        sentence="What somebody may do at a team holds at every team below it."
        actions={
          <>
            {create}
            <CopyAs path="/v1/teams" command={['team', 'list']} />
          </>
        }
      />
      <DataList
        label="Teams"
        items={teams.data && treeOf(itemsOf(teams.data))}
        keyOf={({ team }) => team.id}
        columns={[
          {
            key: 'path',
            header: 'Team',
            isPlain: true,
            cell: ({ team, depth }) => (
              <span className={styles['indent']} data-depth={Math.min(depth, 7)}>
                <RowLink to="/teams/$id" params={{ id: team.id }}>
                  {team.path}
                </RowLink>
              </span>
            ),
          },
          { key: 'name', header: 'Name', cell: ({ team }) => <ForeignText>{team.name}</ForeignText> },
          { key: 'created', header: 'Created', cell: ({ team }) => <Instant at={team.created_at} /> },
        ]}
        {...moreOf(teams)}
        empty={
          <EmptyState title="No team yet" action={create} command="signalbox team create acme">
            A team holds pipelines, secrets and environments, and other teams.
          </EmptyState>
        }
      />
      {isCreating && <CreateTeam onClose={() => setCreating(false)} />}
    </>
  )
}

interface CreateTeamProps {
  readonly parent?: string
  readonly onClose: () => void
}

/** Makes a team, below another one where a parent is given. */
export function CreateTeam({ parent, onClose }: CreateTeamProps): ReactNode {
  const [path, setPath] = useState(parent === undefined ? '' : `${parent}/`)
  const [name, setName] = useState('')
  const create = useWrite(teamRoutes.createTeam, { changes: [teamRoutes.listTeams], onDone: onClose })
  return (
    <FormDialog
      title={parent === undefined ? 'Create a team' : `Create a team below ${parent}`}
      isOpen
      onClose={onClose}
      onSubmit={() => create.mutate({ body: { path, ...(name === '' ? {} : { name }) } })}
      action="Create"
      isSending={create.isPending}
      error={create.error}
      marked={['path', 'name']}
    >
      <TextInput
        label="Path"
        description="It never changes. A slash makes it a team below another one."
        placeholder="acme/web"
        required
        value={path}
        error={fieldError(create.error, 'path')}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
      />
      <TextInput
        label="Name"
        description="For people. Empty: the last part of the path."
        value={name}
        error={fieldError(create.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

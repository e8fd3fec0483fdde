import { TextInput } from '@mantine/core'
import { groupRoutes } from '@signalbox/contracts/access/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  DataList,
  EmptyState,
  FormDialog,
  fieldError,
  Instant,
  PageHeader,
  RowLink,
} from '../../components/index.ts'

const page = getRouteApi('/shell/groups')

/** The groups of the platform. */
export function GroupsPage(): ReactNode {
  const [isCreating, setCreating] = useState(false)
  const groups = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton permission="user.write" at="/" onClick={() => setCreating(true)}>
      Create a group
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Groups"
        sentence="A role that is given to a group is that of each member. A provider of OpenID Connect may set the members."
        actions={
          <>
            {create}
            <CopyAs path="/v1/groups" command={['group', 'list']} />
          </>
        }
      />
      <DataList
        label="Groups"
        items={groups.data && itemsOf(groups.data)}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'name',
            header: 'Group',
            isPlain: true,
            cell: ({ id, name }) => (
              <RowLink to="/groups/$id" params={{ id }}>
                {name}
              </RowLink>
            ),
          },
          { key: 'created', header: 'Created', cell: ({ created_at }) => <Instant at={created_at} /> },
        ]}
        {...moreOf(groups)}
        empty={
          <EmptyState title="No group yet" action={create}>
            Groups spare giving each person each role.
          </EmptyState>
        }
      />
      {isCreating && <CreateGroup onClose={() => setCreating(false)} />}
    </>
  )
}

function CreateGroup({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('')
  const create = useWrite(groupRoutes.createGroup, { changes: [groupRoutes.listGroups], onDone: onClose })
  return (
    <FormDialog
      title="Create a group"
      isOpen
      onClose={onClose}
      onSubmit={() => create.mutate({ body: { name } })}
      action="Create"
      isSending={create.isPending}
      error={create.error}
      marked={['name']}
    >
      <TextInput
        label="Name"
        required
        value={name}
        error={fieldError(create.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

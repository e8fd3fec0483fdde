import { Group as Row, Select, Text } from '@mantine/core'
import { groupRoutes, userRoutes } from '@signalbox/contracts/access/routes'
import { memberRoutes } from '@signalbox/contracts/members/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, read, readAll, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
} from '../../components/index.ts'

const page = getRouteApi('/shell/groups/$id')
const CHANGES = [groupRoutes.listGroupMembers, memberRoutes.listTeamMembers]

/** One group and its members. */
export function GroupPage(): ReactNode {
  const { id } = page.useParams()
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const group = useQuery(page.useLoaderData())
  const remove = useWrite(groupRoutes.deleteGroup, {
    changes: [groupRoutes.listGroups, memberRoutes.listTeamMembers],
    onDone: () => void navigate({ to: '/groups' }),
  })
  const name = group.data?.name ?? 'Group'
  return (
    <>
      <PageHeader
        title={name}
        breadcrumb={[
          <PageLink key="groups" to="/groups">
            Groups
          </PageLink>,
        ]}
        actions={
          <>
            <AllowedButton permission="user.write" at="/" variant="default" onClick={() => setDeleting(true)}>
              Delete
            </AllowedButton>
            <CopyAs path={`/v1/groups/${id}/members`} command={['group', 'members', id]} />
          </>
        }
      />
      <ProblemNotice error={group.error} onRetry={() => void group.refetch()} />
      {group.data && <Members groupId={id} />}
      <FormDialog
        title={`Delete ${name}?`}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onSubmit={() => remove.mutate({ params: { id } })}
        action="Delete"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>Its members lose what they had by it alone.</Text>
      </FormDialog>
    </>
  )
}

function Members({ groupId }: { readonly groupId: string }): ReactNode {
  const members = useQuery(read(groupRoutes.listGroupMembers, { params: { id: groupId } }))
  const users = useQuery(readAll(userRoutes.listUsers, { query: { limit: 500 } }))
  const [chosen, setChosen] = useState<string | null>(null)
  const add = useWrite(groupRoutes.addGroupMember, { changes: CHANGES, onDone: () => setChosen(null) })
  const remove = useWrite(groupRoutes.removeGroupMember, { changes: CHANGES })
  const known = new Set(members.data?.map(({ user_id }) => user_id))
  const others = itemsOf(users.data).filter(({ id }) => !known.has(id))
  return (
    <Section title="Members">
      <DataList
        label="Members"
        items={members.data}
        keyOf={({ user_id }) => user_id}
        columns={[
          { key: 'login', header: 'Login', isPlain: true, cell: ({ login }) => <ForeignText>{login}</ForeignText> },
          {
            key: 'actions',
            header: 'Actions',
            isPlain: true,
            cell: ({ user_id }) => (
              <AllowedButton
                permission="user.write"
                at="/"
                variant="subtle"
                color="danger"
                onClick={() => remove.mutate({ params: { id: groupId, user_id } })}
              >
                Remove
              </AllowedButton>
            ),
          },
        ]}
        error={members.error}
        onRetry={() => void members.refetch()}
        empty={<EmptyState title="No member yet">Add the first one below.</EmptyState>}
      />
      <Row gap="sm" align="end" mt="md">
        <Select
          label="User"
          searchable
          data={others.map(({ id, login }) => ({ value: id, label: login }))}
          value={chosen}
          onChange={setChosen}
        />
        <AllowedButton
          permission="user.write"
          at="/"
          obstacle={chosen === null ? 'Choose a user first.' : undefined}
          loading={add.isPending}
          onClick={() => {
            if (chosen !== null) add.mutate({ params: { id: groupId, user_id: chosen } })
          }}
        >
          Add
        </AllowedButton>
      </Row>
      <ProblemNotice error={add.error ?? remove.error} />
    </Section>
  )
}

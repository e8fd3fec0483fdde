import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
} from '../../components/index.ts'
import { CreateUser } from './create-user.tsx'
import type { User } from './user.ts'

const page = getRouteApi('/shell/system/users')

/** The people of the installation. */
export function UsersPage(): ReactNode {
  const [isCreating, setCreating] = useState(false)
  const users = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton permission="user.write" at="/" onClick={() => setCreating(true)}>
      Create a user
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Users"
        sentence="The people of this installation, whatever their teams."
        actions={
          <>
            {create}
            <CopyAs path="/v1/users" command={['user', 'list']} />
          </>
        }
      />
      <DataList
        label="Users"
        columns={COLUMNS}
        items={users.data && itemsOf(users.data)}
        keyOf={({ id }) => id}
        {...moreOf(users)}
        empty={
          <EmptyState title="No user yet" action={create} command="signalbox user create alice">
            Users sign in with a password or through a provider.
          </EmptyState>
        }
      />
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<User>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ disabled }) => <StatusBadge status={disabled ? 'disabled' : 'enabled'} />,
  },
  {
    key: 'login',
    header: 'Login',
    isPlain: true,
    cell: ({ id, login }) => (
      <RowLink to="/system/users/$id" params={{ id }}>
        {login}
      </RowLink>
    ),
  },
  { key: 'name', header: 'Name', cell: ({ name }) => <ForeignText>{name}</ForeignText> },
  { key: 'email', header: 'E-mail', cell: ({ email }) => email && <ForeignText>{email}</ForeignText> },
  { key: 'password', header: 'Password', cell: ({ has_password }) => (has_password ? 'yes' : 'no') },
  { key: 'created', header: 'Since', cell: ({ created_at }) => <Instant at={created_at} /> },
]

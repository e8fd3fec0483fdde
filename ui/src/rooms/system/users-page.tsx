import type { User } from '@signalbox/contracts/access'
import { userRoutes } from '@signalbox/contracts/access/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import { type Column, CopyAs, DataList, EmptyState, ForeignText, Instant, PageHeader } from '../../components/index.ts'

/** The people of the installation. */
export function UsersPage(): ReactNode {
  const users = useInfiniteQuery(readPages(userRoutes.listUsers, {}))
  return (
    <>
      <PageHeader
        title="Users"
        sentence="The people of this installation, whatever their teams."
        actions={<CopyAs path="/v1/users" command={['user', 'list']} />}
      />
      <DataList
        label="Users"
        columns={COLUMNS}
        items={users.data && itemsOf(users.data)}
        keyOf={({ id }) => id}
        {...moreOf(users)}
        empty={
          <EmptyState title="No user yet" command="signalbox user create <login>">
            Users sign in with a password or through a provider.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<User>[] = [
  { key: 'login', header: 'Login', isPlain: true, cell: ({ login }) => login },
  { key: 'name', header: 'Name', cell: ({ name }) => <ForeignText>{name}</ForeignText> },
  { key: 'email', header: 'E-mail', cell: ({ email }) => email && <ForeignText>{email}</ForeignText> },
  { key: 'state', header: 'State', cell: ({ disabled }) => (disabled ? 'disabled' : 'enabled') },
  { key: 'password', header: 'Password', cell: ({ has_password }) => (has_password ? 'yes' : 'no') },
  { key: 'created', header: 'Since', cell: ({ created_at }) => <Instant at={created_at} /> },
]

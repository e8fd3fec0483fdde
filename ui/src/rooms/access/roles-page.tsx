import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyAs, DataList, EmptyState, PageHeader } from '../../components/index.ts'

const page = getRouteApi('/shell/roles')

/** Every permission in words, and the roles that have it. */
export function RolesPage(): ReactNode {
  const table = useQuery(page.useLoaderData())
  const rows = table.data?.permissions.map((permission) => ({
    ...permission,
    roles: table.data.roles.filter(({ permissions }) => permissions.includes(permission.name)).map(({ name }) => name),
  }))
  return (
    <>
      <PageHeader
        title="Roles"
        sentence="Each role has the permissions of the one before it, and more. A role holds at its team and below."
        actions={<CopyAs path="/v1/auth/permissions" />}
      />
      <DataList
        label="Permissions"
        items={rows}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', header: 'Permission', isPlain: true, cell: ({ name }) => name },
          { key: 'allows', header: 'Allows', isPlain: true, cell: ({ description }) => description },
          { key: 'from', header: 'From the role', cell: ({ roles }) => roles[0] },
        ]}
        error={table.error}
        onRetry={() => void table.refetch()}
        empty={<EmptyState title="No permission">The control plane names none.</EmptyState>}
      />
    </>
  )
}

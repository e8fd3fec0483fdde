import type { ReactNode } from 'react'
import { type Column, DataList, EmptyState, Section, StatusBadge } from '../../components/index.ts'
import type { App } from './git-app.ts'
import { type PermissionRow, permissionRows } from './permissions.ts'

/** What the app may do, why, and what its features lack. */
export function AppPermissions({ app }: { readonly app: App }): ReactNode {
  return (
    <Section title="Permissions">
      <DataList
        label="Permissions of the app"
        columns={COLUMNS}
        items={permissionRows(app.permissions ?? {})}
        keyOf={({ permission }) => permission}
        empty={<EmptyState title="No permission">The app was given nothing at the provider.</EmptyState>}
      />
    </Section>
  )
}

const COLUMNS: readonly Column<PermissionRow>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ isMissing, needed }) => (
      <StatusBadge
        status={isMissing ? 'permission_missing' : needed === null ? 'permission_spare' : 'permission_given'}
      />
    ),
  },
  { key: 'permission', header: 'Permission', isPlain: true, cell: ({ permission }) => <code>{permission}</code> },
  { key: 'given', header: 'Given', cell: ({ given }) => given ?? 'nothing' },
  { key: 'needed', header: 'Needed', cell: ({ needed }) => needed ?? 'nothing' },
  { key: 'feature', header: 'What for', cell: ({ feature }) => feature },
]

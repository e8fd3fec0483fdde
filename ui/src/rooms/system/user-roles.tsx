import { grantRoutes } from '@signalbox/contracts/access/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import { type Column, DataList, EmptyState, Instant, PageLink, Section } from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'
import type { User } from './user.ts'

type Grant = ItemOf<typeof grantRoutes.listGrants>

/** The roles that were given to the user, and the way to ask about one permission. */
export function UserRoles({ user }: { readonly user: User }): ReactNode {
  const subject = `user:${user.id}`
  const grants = useInfiniteQuery(readPages(grantRoutes.listGrants, { query: { subject } }))
  return (
    <Section
      title="What the user may do"
      actions={
        <PageLink to="/t/$team/members" params={{ team: EVERY_TEAM }} search={{ subject }}>
          Why may they do something?
        </PageLink>
      }
    >
      <DataList
        label="Roles"
        columns={COLUMNS}
        items={grants.data && itemsOf(grants.data)}
        keyOf={({ id }) => id}
        {...moreOf(grants)}
        empty={
          <EmptyState
            title="No role is given directly"
            command={`signalbox grant create user:${user.login} viewer acme`}
          >
            A role is given on the members page of a team. Roles of a group that the user is in hold as well.
          </EmptyState>
        }
      />
    </Section>
  )
}

const COLUMNS: readonly Column<Grant>[] = [
  { key: 'role', header: 'Role', isPlain: true, cell: ({ role }) => role },
  {
    key: 'place',
    header: 'At',
    cell: ({ team_path }) => (
      <PageLink to="/t/$team/members" params={{ team: team_path === '/' ? EVERY_TEAM : team_path }}>
        {team_path === '/' ? 'the platform' : team_path}
      </PageLink>
    ),
  },
  { key: 'since', header: 'Since', cell: ({ created_at }) => <Instant at={created_at} /> },
]

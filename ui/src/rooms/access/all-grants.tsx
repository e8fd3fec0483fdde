import { grantRoutes } from '@signalbox/contracts/access/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import { type Column, DataList, EmptyState, ForeignText, Instant, PageLink } from '../../components/index.ts'
import type { Grant } from './access.ts'
import { kindOf } from './right-words.ts'
import { TakeAway } from './take-away.tsx'

/** Every role that one may see, at every team. */
export function AllGrants({ give }: { readonly give: ReactNode }): ReactNode {
  const grants = useInfiniteQuery(readPages(grantRoutes.listGrants, { query: { limit: 200 } }))
  return (
    <DataList
      label="Roles"
      columns={COLUMNS}
      items={grants.data && itemsOf(grants.data)}
      keyOf={({ id }) => id}
      {...moreOf(grants)}
      empty={
        <EmptyState title="No role is given that you may see" action={give}>
          A role is given at a team, and holds there and below.
        </EmptyState>
      }
    />
  )
}

const COLUMNS: readonly Column<Grant>[] = [
  {
    key: 'subject',
    header: 'Who',
    isPlain: true,
    cell: ({ subject_name }) => <ForeignText>{subject_name}</ForeignText>,
  },
  { key: 'kind', header: 'Kind', cell: ({ subject }) => kindOf(subject) },
  { key: 'role', header: 'Role', cell: ({ role }) => role },
  {
    key: 'place',
    header: 'At',
    cell: ({ team_path }) =>
      team_path === '/' ? (
        'platform'
      ) : (
        <PageLink to="/t/$team/members" params={{ team: team_path }}>
          {team_path}
        </PageLink>
      ),
  },
  { key: 'since', header: 'Since', cell: ({ created_at }) => <Instant at={created_at} /> },
  { key: 'actions', header: 'Actions', isPlain: true, cell: (grant) => <TakeAway grant={grant} /> },
]

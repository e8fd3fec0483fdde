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
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { EVERY_TEAM, teamOrAny } from '../../shell/index.ts'
import { CreateProfile } from './create-profile.tsx'
import type { Profile } from './profile.ts'

const page = getRouteApi('/shell/t/$team/profiles')

/** What the tasks of a team may ask of a runner. */
export function ProfilesPage(): ReactNode {
  const { team } = page.useParams()
  const isEvery = team === EVERY_TEAM
  const [isCreating, setCreating] = useState(false)
  const profiles = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton permission="profile.write" at={teamOrAny(team)} onClick={() => setCreating(true)}>
      Create a profile
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Profiles"
        sentence="A profile says what a runner must have, and what environment its tasks find."
        actions={
          <>
            {create}
            <CopyAs {...listCopy('/v1/profiles', ['profile', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Profiles"
        columns={COLUMNS}
        items={profiles.data && itemsOf(profiles.data)}
        keyOf={({ id }) => id}
        {...moreOf(profiles)}
        empty={
          <EmptyState title="No profile yet" action={create} command="profile: acme/web/node24">
            Without one a task runs on any runner that serves its scope. A pipeline names a profile in such a line.
          </EmptyState>
        }
      />
      {isCreating && <CreateProfile team={isEvery ? '' : team} onClose={() => setCreating(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<Profile>[] = [
  {
    key: 'name',
    header: 'Name',
    isPlain: true,
    cell: ({ id, identifier }) => (
      <RowLink to="/profiles/$id" params={{ id }}>
        {identifier}
      </RowLink>
    ),
  },
  { key: 'executor', header: 'Executor', cell: ({ executor }) => executor },
  { key: 'image', header: 'Image', cell: ({ image }) => <ForeignText>{image}</ForeignText> },
  { key: 'labels', header: 'Labels', cell: ({ labels }) => labels.join(', ') },
  { key: 'updated', header: 'Changed', cell: ({ updated_at }) => <Instant at={updated_at} /> },
]
